// Compresses responses on node:http, as the last step before they are sent (spec 1.3.8). `fetch` of an embedded server
// never compresses, because the host sends the response (base-path.ts).
import { Effect } from "effect"
import { HttpEffect, HttpPlatform, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** In our order of preference. */
const codings = ["br", "gzip"] as const

type Coding = (typeof codings)[number]

/** These cost about the same time for a page of visitors, and a fifth of what the highest levels do. */
const levels = { br: 4, gzip: 6 } as const

/** A smaller response fits into one packet anyway. */
const bytesMin = 1_024

const types = new Set([
  "application/json",
  "application/problem+json",
  "application/x-ndjson",
  "text/csv",
  "text/javascript",
])

/**
 * Paths whose responses may contain a secret, beside text that someone else may choose. Their compressed length would
 * tell how much the two have in common.
 */ // spec 1.3.9
const secretPaths = [
  /^\/v1\/(?:auth|api-keys|organizations)(?:\/|$)/,
  /^\/v1\/data\/(?:link-tokens|webhooks)$/,
  /^\/v1\/intent\/integrations\//,
  /\/(?:destinations|rotate-secret|write-keys)$/,
  /\/exports(?:\/[^/]+)?$/,
  /^\/mcp$/,
]

/** Whether a response at the path may contain a secret. The router decodes paths, so a path that can't be decoded may. */
export const mayHoldSecret = (path: string): boolean => {
  try {
    const decoded = decodeURIComponent(path)
    return secretPaths.some((pattern) => pattern.test(decoded))
  } catch {
    return true
  }
}

/** Compresses the app's responses. */
export const compressed = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpPlatform.HttpPlatform, ({ compression }) =>
    // Added last, so that the headers are complete.
    Effect.tap(app, () =>
      HttpEffect.appendPreResponseHandler((request, response) => {
        if (!isCompressible(request, response)) return Effect.succeed(response)
        const varied = HttpServerResponse.setHeader(response, "vary", varyOf(response))
        const coding = codingFor(request.headers["accept-encoding"])
        return coding === undefined || isSmall(response)
          ? Effect.succeed(varied)
          : compression.compressResponse(varied, coding, { level: levels[coding] })
      }),
    ),
  )

const isCompressible = (
  { url }: HttpServerRequest.HttpServerRequest,
  { body, cookies, headers, status }: HttpServerResponse.HttpServerResponse,
): boolean => {
  if (body._tag !== "Uint8Array" && body._tag !== "Stream") return false
  // A stored file, which announces its size.
  if (body._tag === "Stream" && headers["content-length"] !== undefined) return false
  const [type = ""] = (headers["content-type"] ?? body.contentType ?? "").split(";", 1)
  return (
    types.has(type) &&
    status !== 206 &&
    headers["content-encoding"] === undefined &&
    Object.keys(cookies.cookies).length === 0 &&
    !mayHoldSecret(url.split("?", 1)[0]!)
  )
}

const isSmall = ({ body }: HttpServerResponse.HttpServerResponse): boolean =>
  body._tag === "Uint8Array" && body.contentLength < bytesMin

const varyOf = ({ headers }: HttpServerResponse.HttpServerResponse): string => {
  const { vary } = headers
  if (vary === undefined) return "Accept-Encoding"
  return /\baccept-encoding\b/i.test(vary) ? vary : `${vary}, Accept-Encoding`
}

/**
 * The coding that the header prefers, by name or by `*` (RFC 9110, 12.5.3), or undefined for none. Of several with the
 * same weight, the first.
 */
export const codingFor = (
  acceptEncoding: string | undefined,
  offered: ReadonlyArray<Coding> = codings,
): Coding | undefined => {
  const weights = weightsOf(acceptEncoding)
  const weightOf = (coding: Coding): number =>
    weights.get(coding) ??
    (coding === "gzip" ? weights.get("x-gzip") : undefined) ??
    weights.get("*") ??
    0
  let [best, most]: [Coding | undefined, number] = [undefined, 0]
  for (const coding of offered) {
    const weight = weightOf(coding)
    if (weight > most) [best, most] = [coding, weight]
  }
  return most < (weights.get("identity") ?? 0) ? undefined : best
}

/** Of files that the build compressed. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  codingFor(acceptEncoding, ["gzip"]) !== undefined

/** The weight of each element of a header such as Accept-Encoding or Accept, in lower case. An unreadable one is 0. */
export const weightsOf = (header: string | undefined): ReadonlyMap<string, number> =>
  new Map(
    (header ?? "").split(",").map((item) => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
      return [
        name,
        weight === undefined ? 1 : /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 0,
      ]
    }),
  )
