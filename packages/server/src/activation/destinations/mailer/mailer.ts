// The interface to mailing list providers, and its adapter for `mailer`, the API of EmailOctopus (spec 2.17). Every
// request passes the guard of outbound/, waits for its turn, and fails with a typed error. It keeps no state except for
// pacing, and never retries; callers may repeat an upsert.
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import type { OutboundAnswer } from "../../../platform/outbound/sending.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import type { ListContact } from "./list-contact.ts"
import {
  ContactRefused,
  CredentialsRefused,
  ListGone,
  type MailerError,
  ProviderFailed,
  ProviderRateLimited,
  ProviderUnreachable,
} from "./mailer-error.ts"
import { ListsPage, type MailingList, mailingListOf } from "./mailing-list.ts"
import { makePacing } from "./pacing.ts"
import { retryAfterSecondsOf } from "../../../platform/outbound/retry-after.ts"

/** Our own limits, for a provider whose pages never end. */
export const pagesMax = 100
export const listsMax = 5_000
const pageBytesMax = 4 * 1_048_576
/** For all pages together, because their lists are kept in memory. */
const listsBytesMax = 8 * 1_048_576
/** Per request. Units: milliseconds. */
const timeoutMs = 10_000
const problemTitleLengthMax = 200

/** How to reach an account. */
export interface MailerConnection {
  readonly accountId: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}

interface MailerShape {
  /** One request that shows whether the credentials work: the first page of lists. */
  probe(connection: MailerConnection): Effect.Effect<void, MailerError>
  /**
   * All lists in the provider's order, across pages.
   *
   * *Limits*: 100 pages, 5,000 lists, 8 MiB. *Errors*: also ProviderFailed for pages that leave the origin, never end
   * or are too large; credentials are never sent elsewhere.
   */
  lists(connection: MailerConnection): Effect.Effect<ReadonlyArray<MailingList>, MailerError>
  /**
   * Writes a contact by its address: creates it, or else updates the existing one, which keeps its status and all tags.
   *
   * *Guarantee*: never sends a status, so no one is subscribed again, and a new contact gets the opt-in of its list.
   * Safe to repeat.
   */
  upsert(
    connection: MailerConnection,
    listId: string,
    contact: ListContact,
  ): Effect.Effect<void, MailerError>
}

const make = Effect.gen(function* () {
  const outbound = yield* Outbound
  const pacing = makePacing()

  const ask = Effect.fnUntraced(function* (
    { accountId, apiKey }: MailerConnection,
    request: {
      readonly method: "GET" | "POST" | "PUT"
      readonly url: string
      readonly body?: string
    },
  ) {
    yield* pacing.turn(accountId)
    const answer = yield* outbound
      .send({
        ...request,
        headers: {
          authorization: `Bearer ${Redacted.value(apiKey)}`,
          accept: "application/json",
          ...(request.body === undefined
            ? {}
            : { "content-type": "application/json; charset=utf-8" }),
        },
        timeoutMs,
        ...(request.method === "GET" ? { bytesMax: pageBytesMax } : {}),
      })
      .pipe(Effect.mapError(({ _tag: reason }) => new ProviderUnreachable({ reason })))
    if (answer.status >= 200 && answer.status < 300) {
      yield* pacing.succeeded(accountId)
      return answer
    }
    const error = errorOf(answer, yield* Clock.currentTimeMillis)
    if (error._tag === "ProviderRateLimited") {
      yield* pacing.refused(accountId, error.retryAfterSeconds)
    }
    return yield* error
  })

  const readPage = Effect.fnUntraced(function* (connection: MailerConnection, url: string) {
    const answer = yield* ask(connection, { method: "GET", url })
    return { page: yield* pageOf(answer), bytes: answer.body.length }
  })

  const lists = Effect.fn("Mailer.lists")(function* (connection: MailerConnection) {
    const found: Array<MailingList> = []
    const first = listsUrl(connection)
    const { origin } = new URL(first)
    let next: string | undefined = first
    let bytesLeft = listsBytesMax
    for (let pages = 0; next !== undefined; pages++) {
      if (pages === pagesMax) return yield* unreadable
      const read: { readonly page: typeof ListsPage.Type; readonly bytes: number } =
        yield* readPage(connection, next)
      const { data, paging } = read.page
      bytesLeft -= read.bytes
      if (bytesLeft < 0 || found.length + data.length > listsMax) return yield* unreadable
      found.push(...data.map(mailingListOf))
      const given: string | undefined = paging?.next?.url
      if (given === undefined) return found
      next = URL.canParse(given, next) ? new URL(given, next).href : undefined
      if (next === undefined || new URL(next).origin !== origin) return yield* unreadable
    }
    return found
  })

  return {
    probe: (connection) =>
      Effect.asVoid(readPage(connection, listsUrl(connection))).pipe(
        Effect.withSpan("Mailer.probe"),
      ),
    lists,
    // Neither request has a status: the provider would apply it to an existing contact too, and a new one would skip
    // the double opt-in of its list. spec 2.17.5.
    upsert: (connection, listId, { email, fields, tags }) => {
      const url = `${connection.baseUrl}/lists/${encodeURIComponent(listId)}/contacts`
      const contact = { email_address: email, fields }
      const created = ask(connection, {
        method: "POST",
        url,
        body: JSON.stringify({ ...contact, tags }),
      })
      const updated = ask(connection, {
        method: "PUT",
        url,
        body: JSON.stringify({
          ...contact,
          tags: Object.fromEntries(tags.map((tag) => [tag, true])),
        }),
      })
      return Effect.asVoid(Effect.catchIf(created, isNotCreated, () => updated))
    },
  } satisfies MailerShape
})

export class Mailer extends Context.Service<Mailer, MailerShape>()(
  "@footfall/server/destinations/Mailer",
) {
  static readonly layer = Layer.effect(Mailer, make)
}

const listsUrl = ({ baseUrl }: MailerConnection): string => `${baseUrl}/lists`

/** The list has the contact already, or the provider only has the request that updates or creates. */
const isNotCreated = (error: MailerError): boolean =>
  error._tag === "ProviderFailed" && (error.status === 409 || error.status === 405)

const errorOf = ({ body, headers, status }: OutboundAnswer, now: number): MailerError => {
  const retryAfterSeconds = retryAfterSecondsOf(
    headers["retry-after"] ?? headers["x-ratelimit-retry-after"],
    now,
  )
  if (status === 401 || status === 403) return new CredentialsRefused({ status })
  if (status === 404) return new ListGone()
  if (status === 422) return new ContactRefused({ title: problemTitle(body) })
  if (status === 429) return new ProviderRateLimited({ retryAfterSeconds })
  const isTransient = status >= 500 || status === 408 || status === 425
  return new ProviderFailed({
    status,
    isTransient,
    retryAfterSeconds: status === 503 ? retryAfterSeconds : null,
  })
}

/** A 2xx response that does not match the interface. */
const unreadable = Effect.fail(
  new ProviderFailed({ status: 200, isTransient: true, retryAfterSeconds: null }),
)

const decodePage = Schema.decodeUnknownEffect(ListsPage)

const pageOf = ({ body, bodyIsCut }: OutboundAnswer) =>
  bodyIsCut
    ? unreadable
    : Effect.try({ try: () => JSON.parse(textOf(body)) as unknown, catch: () => undefined }).pipe(
        Effect.flatMap(decodePage),
        Effect.catch(() => unreadable),
      )

/** The title of an RFC 9457 body, in a form Postgres can store. Its detail may name the person, so it is dropped. */
const problemTitle = (body: Uint8Array): string | null => {
  try {
    const { title } = JSON.parse(textOf(body)) as { readonly title?: unknown }
    return typeof title === "string"
      ? title.replaceAll("\0", " ").slice(0, problemTitleLengthMax).toWellFormed()
      : null
  } catch {
    return null
  }
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString("utf8")

// `MAILER_BASE_URL`: the base URL of accounts connected without one.
/** Without a trailing slash. */ // spec 1.2, 2.17
export const MailerBaseUrl = Context.Reference<string | undefined>(
  "@footfall/server/destinations/MailerBaseUrl",
  { defaultValue: () => undefined },
)
