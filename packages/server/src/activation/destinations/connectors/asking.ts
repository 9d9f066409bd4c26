// Asks a service: every request passes the guard of outbound/, waits for its turn, and fails with a typed error.
// Credentials are sent to the account's own origin and nowhere else.
import { Clock, Effect, Schema } from "effect"
import type { Outbound } from "../../../platform/outbound/outbound.ts"
import { retryAfterSecondsOf } from "../../../platform/outbound/retry-after.ts"
import type { OutboundAnswer } from "../../../platform/outbound/sending.ts"
import type { Connector, Credentials } from "./connector.ts"
import {
  type ConnectorError,
  CredentialsRefused,
  ListGone,
  ProviderFailed,
  ProviderRateLimited,
  ProviderUnreachable,
} from "./connector-error.ts"
import type { Pacing } from "./pacing.ts"
import {
  type ApiRequest,
  type FailedAnswer,
  type ProviderApi,
  refusal,
  unreadable,
} from "./provider-api.ts"

/** Our own limits, for a service whose pages never end. */
export const pagesMax = 100
export const listsMax = 5_000
const pageBytesMax = 4 * 1_048_576
/** For all pages together, because their lists are kept in memory. */
const listsBytesMax = 8 * 1_048_576
/** Per request. Units: milliseconds. */
const timeoutMs = 10_000

/** How to reach an account. */
export interface Reach {
  readonly accountId: string
  /** With the path of the API, without a trailing slash. */
  readonly baseUrl: string
  readonly credentials: Credentials
}

export const makeProviderApi = (
  outbound: Outbound["Service"],
  pacing: Pacing,
  connector: Connector,
  { accountId, baseUrl, credentials }: Reach,
): ProviderApi => {
  const { origin } = new URL(baseUrl)

  const urlOf = ({ path, query = {} }: ApiRequest): string | undefined => {
    const url = path.startsWith("/") ? `${baseUrl}${path}` : path
    if (!URL.canParse(url) || new URL(url).origin !== origin) return undefined
    const parts = Object.entries(query).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    )
    return parts.length === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${parts.join("&")}`
  }

  const send = Effect.fnUntraced(function* (request: ApiRequest) {
    const url = urlOf(request)
    if (url === undefined) return yield* unreadable
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    const answer = yield* outbound
      .send({
        method: request.method,
        url,
        ...(body === undefined ? {} : { body }),
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
          ...connector.headers(credentials),
        },
        timeoutMs,
        bytesMax: pageBytesMax,
      })
      .pipe(Effect.mapError(({ _tag: reason }) => new ProviderUnreachable({ reason })))
    const read = { status: answer.status, bytes: answer.body.length, json: jsonOf(answer) }
    const isSuccess = answer.status >= 200 && answer.status < 300
    if (isSuccess || request.answers?.includes(answer.status) === true) {
      yield* pacing.succeeded(accountId, connector.pace)
      return read
    }
    const { headers } = answer
    const given = connector.retryAfterHeaders.map((name) =>
      Object.hasOwn(headers, name) ? headers[name] : undefined,
    )
    const said = given.find((text) => text !== undefined)
    const retryAfterSeconds = retryAfterSecondsOf(said, yield* Clock.currentTimeMillis)
    const failed = { ...read, retryAfterSeconds }
    const isGone = answer.status === 404 && request.isOfFound === true
    const error = isGone ? personGone : (connector.errorOf?.(failed) ?? usualError(failed))
    if (error._tag === "ProviderRateLimited") {
      yield* pacing.refused(accountId, connector.pace, error.retryAfterSeconds)
    }
    return yield* error
  })

  const ask = (request: ApiRequest) => pacing.inTurn(accountId, connector.pace, send(request))

  const readAnswer = Effect.fnUntraced(function* <A>(
    schema: Schema.Decoder<A>,
    request: ApiRequest,
  ) {
    const { bytes, json } = yield* ask(request)
    const page = yield* Effect.mapError(
      Schema.decodeUnknownEffect(schema)(json),
      () => unreadable as ConnectorError,
    )
    return { page, bytes }
  })

  return {
    ask,
    read: (schema, request) => Effect.map(readAnswer(schema, request), ({ page }) => page),
    pages: Effect.fnUntraced(function* <Page, Entry>(
      schema: Schema.Decoder<Page>,
      first: Omit<ApiRequest, "answers">,
      entries: (page: Page) => ReadonlyArray<Entry>,
      next: (page: Page, pages: number) => Omit<ApiRequest, "answers"> | undefined,
    ) {
      const found: Array<Entry> = []
      let bytesLeft = listsBytesMax
      let request: Omit<ApiRequest, "answers"> | undefined = first
      for (let pages = 1; request !== undefined; pages++) {
        if (pages > pagesMax) return yield* unreadable
        const { bytes, page }: { readonly bytes: number; readonly page: Page } = yield* readAnswer(
          schema,
          request,
        )
        const more = entries(page)
        bytesLeft -= bytes
        if (bytesLeft < 0 || found.length + more.length > listsMax) return yield* unreadable
        found.push(...more)
        request = next(page, pages)
      }
      return found
    }),
  }
}

const personGone = new ProviderFailed({ status: 404, isTransient: true, retryAfterSeconds: null })

/** The usual meaning of a status. */ // spec 2.17.6
const usualError = ({ json, retryAfterSeconds, status }: FailedAnswer): ConnectorError => {
  if (status === 401 || status === 403) return new CredentialsRefused({ status })
  if (status === 404) return new ListGone()
  if (status === 422) return refusal({ json, status }, "title")
  if (status === 429) return new ProviderRateLimited({ retryAfterSeconds })
  const isTransient = status >= 500 || status === 408 || status === 425
  return new ProviderFailed({
    status,
    isTransient,
    retryAfterSeconds: status === 503 ? retryAfterSeconds : null,
  })
}

const jsonOf = ({ body, bodyIsCut }: OutboundAnswer): unknown => {
  if (bodyIsCut) return undefined
  try {
    return JSON.parse(Buffer.from(body).toString("utf8")) as unknown
  } catch {
    return undefined
  }
}
