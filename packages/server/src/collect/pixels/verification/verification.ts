// Checks whether a pixel works. Returns the first reason if it does not (spec 5.2), and findings about its site.
// The site is only fetched, through the guard, if no event from the pixel's own host ever arrived. A site that
// can't be fetched proves nothing about its tag, so the reason is then the known fact: no events arrived.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { type OutboundPage, Outbound } from "../../../platform/outbound/outbound.ts"
import type { PageError } from "../../../platform/outbound/outbound-error.ts"
import { PixelBaseUrl, scriptAddressOf } from "../embed.ts"
import { type PixelNotFound, Pixels } from "../pixels.ts"
import { type PixelKey, type PixelRow, PixelStore } from "../store.ts"
import type { Finding } from "./finding.ts"
import { findingsOf, note, problem } from "./findings.ts"
import { readSitePage } from "./site-page.ts"

export const VerificationReason = Schema.Literals([
  "paused",
  "domain_mismatch",
  "script_missing",
  "no_events",
])
export type VerificationReason = typeof VerificationReason.Type

/** A site on the server's own machine has no certificate that the server would trust. */
export const siteAddress = (domain: string): string =>
  `${isLocal(domain) ? "http" : "https"}://${domain}/`

const isLocal = (domain: string): boolean => /^(?:localhost|127(?:\.\d+){3})$/.test(domain)

/** The page of a site to fetch. Tests use other URLs. */
export const SiteAddress = Context.Reference<(domain: string) => string>(
  "@footfall/server/pixels/SiteAddress",
  { defaultValue: () => siteAddress },
)

/** The same page at `www.`, or undefined if the host has no such name. */
const wwwOf = (url: string): string | undefined => {
  const { hostname } = new URL(url)
  if (isLocal(hostname) || hostname.startsWith("www.") || !hostname.includes(".")) return undefined
  return url.replace(`://${hostname}`, `://www.${hostname}`)
}

/** The host does not serve the site; another one may. */
const isElsewhere = (error: PageError): boolean =>
  error._tag === "NameNotResolved" ||
  error._tag === "ConnectionRefused" ||
  error._tag === "TlsFailed" ||
  error._tag === "NoAnswer"

/** spec 1.9. */
const reading = { redirectsMax: 3, timeoutMs: 10_000, bytesMax: 2 * 1024 * 1024 }

export interface Verified {
  readonly pixel: PixelRow
  /** Null if the pixel is verified. */
  readonly reason: VerificationReason | null
  /** Findings about the page, starting with the page itself; empty if the pixel is verified or paused. */
  readonly findings: ReadonlyArray<Finding>
}

export class Verification extends Context.Service<
  Verification,
  {
    /** Takes as long as the pixel's site, up to 10 seconds. */
    verify(key: PixelKey): Effect.Effect<Verified, PixelNotFound>
  }
>()("@footfall/server/pixels/Verification") {
  static readonly layer = Layer.effect(
    Verification,
    Effect.gen(function* () {
      const pixels = yield* Pixels
      const store = yield* PixelStore
      const outbound = yield* Outbound
      const addressOf = yield* SiteAddress
      const pixelBaseUrl = yield* PixelBaseUrl

      /** The page at `www.` if only that serves the site, within the time of one reading. */
      const readSite = Effect.fnUntraced(function* (url: string) {
        const begunAt = yield* Clock.currentTimeMillis
        const first = yield* Effect.result(outbound.readPage({ url, ...reading }))
        const www = wwwOf(url)
        const isServed =
          first._tag === "Success" ? first.success.status !== 404 : !isElsewhere(first.failure)
        const timeoutMs = reading.timeoutMs - ((yield* Clock.currentTimeMillis) - begunAt)
        if (isServed || www === undefined || timeoutMs <= 0) return yield* Effect.fromResult(first)
        const second = yield* Effect.result(outbound.readPage({ ...reading, url: www, timeoutMs }))
        return second._tag === "Success" && second.success.status < 300
          ? second.success
          : yield* Effect.fromResult(first)
      })

      const lookAt = (pixel: PixelRow): Effect.Effect<ReadonlyArray<Finding>> => {
        const url = addressOf(pixel.domain)
        const scriptAddress = scriptAddressOf(pixelBaseUrl, pixel.id)
        return readSite(url).pipe(
          Effect.map((answer) =>
            readAnswer(answer, { pixel, requested: new URL(url), scriptAddress }),
          ),
          Effect.catch((error) => Effect.succeed([unreadable(url, failures[error._tag])])),
        )
      }

      const reasonOf = Effect.fnUntraced(function* (
        key: PixelKey,
        findings: ReadonlyArray<Finding>,
      ) {
        if (yield* store.hasForeignEvents(key)) return "domain_mismatch"
        const isMissing = findings.some(({ code }) => code === "tag_missing")
        return isMissing ? "script_missing" : "no_events"
      })

      return Verification.of({
        verify: Effect.fn("Verification.verify")(function* (key) {
          const pixel = yield* pixels.find(key)
          if (pixel.verifiedAt !== null) return { pixel, reason: null, findings: [] }
          if (pixel.status === "paused") return { pixel, reason: "paused", findings: [] }
          const findings = yield* lookAt(pixel)
          return { pixel, reason: yield* reasonOf(key, findings), findings }
        }),
      })
    }),
  )
}

type Expected = Pick<Parameters<typeof findingsOf>[0], "requested" | "pixel" | "scriptAddress">

const readAnswer = (answer: OutboundPage, expected: Expected): ReadonlyArray<Finding> => {
  const { headers, status, url } = answer
  const { "content-encoding": encoding = "identity", "content-type": type = "text/html" } = headers
  if (status >= 300) return [unreadable(url, `it responded with ${status}`)]
  if (encoding !== "identity")
    return [unreadable(url, "the response is compressed, which was not requested")]
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)/i.test(type))
    return [unreadable(url, "it is not HTML")]
  return [
    note("page_read", `Read ${url}, which responded with ${status}.`, [url, String(status)]),
    ...findingsOf({
      ...expected,
      url: new URL(url),
      policyHeader: headers["content-security-policy"],
      // Works for unknown encodings too, because everything it looks for is ASCII.
      page: readSitePage(new TextDecoder().decode(answer.body)),
    }),
  ]
}

const unreadable = (url: string, why: string): Finding =>
  problem("page_unreadable", `The server could not read ${url}: ${why}.`, [url, why])

/** None of these reveals the address of a host name. */
const failures: Readonly<Record<PageError["_tag"], string>> = {
  UrlNotAllowed: "this server is not allowed to connect to that address",
  NameNotResolved: "the host name could not be resolved",
  ConnectionRefused: "the connection was refused",
  TlsFailed: "its certificate is invalid",
  NoAnswer: "the connection closed without a response",
  TimedOut: `it took longer than ${reading.timeoutMs / 1_000} seconds`,
  TooLarge: `it is larger than ${reading.bytesMax / 1_024 / 1_024} MiB`,
  RedirectedTooOften: `it redirects more than ${reading.redirectsMax} times`,
}
