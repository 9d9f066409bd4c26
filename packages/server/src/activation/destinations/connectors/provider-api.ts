// How a connector asks its service (asking.ts does it), and what an answer says about a contact.
import type { Effect, Schema } from "effect"
import { type ConnectorError, ContactRefused, ProviderFailed } from "./connector-error.ts"

const sentenceLengthMax = 200

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Appended to the base URL. A URL of the same origin is taken as it is. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Statuses that the connector handles itself. */
  readonly answers?: ReadonlyArray<number>
  /** It is about someone who was just found: a 404 says that they are gone, not the list, so another attempt may succeed. */
  readonly isOfFound?: true
}

export interface ApiAnswer {
  readonly status: number
  readonly bytes: number
  /** Undefined if the body isn't JSON. */
  readonly json: unknown
}

export interface FailedAnswer extends ApiAnswer {
  readonly retryAfterSeconds: number | null
}

export interface ProviderApi {
  /** Any status of 2xx, or one of `answers`. */
  ask(request: ApiRequest): Effect.Effect<ApiAnswer, ConnectorError>
  /** Reads the body of a 2xx answer. Fails with ProviderFailed if it isn't as described. */
  read<A>(
    schema: Schema.Decoder<A>,
    request: Omit<ApiRequest, "answers">,
  ): Effect.Effect<A, ConnectorError>
  /**
   * What all pages have. `next`: the request after a page, undefined after the last.
   *
   * *Limits*: 100 pages, 5,000 entries, 8 MiB, one origin; otherwise ProviderFailed.
   */
  pages<Page, Entry>(
    schema: Schema.Decoder<Page>,
    first: Omit<ApiRequest, "answers">,
    entries: (page: Page) => ReadonlyArray<Entry>,
    next: (page: Page, pages: number) => Omit<ApiRequest, "answers"> | undefined,
  ): Effect.Effect<ReadonlyArray<Entry>, ConnectorError>
}

/** A 2xx answer that does not match what the service documents. */
export const unreadable = new ProviderFailed({
  status: 200,
  isTransient: true,
  retryAfterSeconds: null,
})

/** The service refuses this contact for good; `names`: where its body says why, the first that is a text. */
export const refusal = (
  { json, status }: Pick<ApiAnswer, "json" | "status">,
  ...names: ReadonlyArray<string>
): ContactRefused => new ContactRefused({ status, sentence: sentenceOf(json, names) })

const memberOf = (value: unknown, key: string): unknown => {
  if (typeof value !== "object" || value === null) return undefined
  const members = value as Readonly<Record<string, unknown>>
  return Object.hasOwn(members, key) ? members[key] : undefined
}

/** In a form that Postgres can store. An address in it is left out, because it names the person. */
export const sentenceOf = (json: unknown, names: ReadonlyArray<string>): string | null => {
  for (const name of names) {
    const said = name.split(".").reduce(memberOf, json)
    if (typeof said !== "string" || said === "") continue
    return said
      .slice(0, 4 * sentenceLengthMax)
      .replaceAll("\0", " ")
      .replaceAll(/[^\s"'<>(),:;]+/g, (word) => (word.includes("@") ? "…" : word))
      .slice(0, sentenceLengthMax)
      .toWellFormed()
  }
  return null
}
