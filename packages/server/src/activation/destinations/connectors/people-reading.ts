// Reads the people of a service, a page at a time, for suppression sources (spec 2.25.8). The next page is asked for when the
// one before was taken, and what can be asked again is.
import { Effect, Option, Schema, Stream } from "effect"
import { type ConnectorError, isOfAccount } from "./connector-error.ts"
import type { MailingList } from "./mailing-list.ts"
import type { ApiRequest, ProviderApi } from "./provider-api.ts"

/** `refused`: those who unsubscribed, bounced, complained or are suppressed there. */
export type WhichPeople = "all" | "refused"

export interface PeopleQuery {
  /** Null: everyone in the account. */
  readonly listId: string | null
  readonly people: WhichPeople
}

/** The list changed so much between two pages that someone may have been passed over. Reading it again helps. */
export class PeopleChanged extends Schema.TaggedError<PeopleChanged>()("PeopleChanged", {}) {}

/** Addresses as the service has them, in pages. */
export type PeoplePages = Stream.Stream<ReadonlyArray<string>, ConnectorError | PeopleChanged>

export interface PeopleReader {
  /** People of the service are on lists only. */
  readonly needsList: boolean
  /** The lists that can be read, if they are not those that can be written. */
  readonly lists?: (api: ProviderApi) => Effect.Effect<ReadonlyArray<MailingList>, ConnectorError>
  /** Fails with ListGone. An address may come twice. */
  readonly read: (api: ProviderApi, query: PeopleQuery) => PeoplePages
}

type Get = Omit<ApiRequest, "answers">

/** Pages that name the next one. */
export const linkedPages = <Page>(
  api: ProviderApi,
  schema: Schema.Decoder<Page>,
  first: Get,
  read: (page: Page) => {
    readonly emails: Effect.Effect<ReadonlyArray<string>, ConnectorError>
    readonly next: Get | undefined
  },
): PeoplePages =>
  Stream.paginate(first, (request) =>
    Effect.gen(function* () {
      const { emails, next } = read(yield* api.read(schema, request))
      return [[yield* emails], Option.fromUndefinedOr(next)] as const
    }),
  )

/** Entries of a page that is asked for by its place. */
const pageSize = 500
/** Entries that the next page has again: so many people may leave between two pages before someone is passed over. */
const overlap = 50

interface Entry {
  /** What is the same on every page. */
  readonly key: string | number
  /** Null for someone who is not wanted. */
  readonly email: string | null
}

/** Where a page begins, and how many entries it has at most. */
interface Place {
  readonly offset: number
  readonly size: number
}

/**
 * Pages that are asked for by their place. Who leaves the list meanwhile moves everyone behind them, so pages overlap, and
 * each has to have something of the one before. `placeAt`: the last place at or before an offset that the service can be
 * asked for.
 */
export const placedPages = (
  ask: (place: Place) => Effect.Effect<ReadonlyArray<Entry>, ConnectorError>,
  placeAt: (offset: number) => Place = (offset) => ({ offset, size: pageSize }),
): PeoplePages => {
  interface Reached {
    readonly offset: number
    readonly last: ReadonlySet<string | number>
  }
  const beginning: Reached = { offset: 0, last: new Set() }
  return Stream.paginate(beginning, (reached) =>
    Effect.gen(function* () {
      const place = placeAt(reached.offset)
      const entries = yield* ask(place)
      const isJoined = reached.last.size === 0 || entries.some(({ key }) => reached.last.has(key))
      if (!isJoined) return yield* new PeopleChanged()
      const next: Reached = {
        offset: place.offset + entries.length - overlap,
        last: new Set(entries.slice(-overlap).map(({ key }) => key)),
      }
      return [
        [entries.flatMap(({ email }) => (email === null ? [] : [email]))],
        entries.length < place.size ? Option.none() : Option.some(next),
      ] as const
    }),
  )
}

/** Places of a service that counts pages: the page and its size that begin last at or before the offset. */
export const countedPlace = (offset: number): Place & { readonly page: number } => {
  let best = { offset: 0, size: pageSize, page: 1 }
  for (let size = pageSize; size > 0.7 * pageSize; size--) {
    const page = Math.floor(offset / size)
    if (page * size > best.offset) best = { offset: page * size, size, page: page + 1 }
  }
  return best
}

/** Attempts at one request. */
const attemptsMax = 5
/** The longest wait before one. Units: seconds. */
const waitMax = 900

/** Waits and asks again when a service asks to wait or fails for now: a long list is not begun again for one failure. */
export const patient = (api: ProviderApi): ProviderApi => {
  const asked = <A>(request: Effect.Effect<A, ConnectorError>) =>
    Effect.gen(function* () {
      for (let attempt = 1; ; attempt++) {
        const result = yield* Effect.result(request)
        if (result._tag === "Success") return result.success
        const error = result.failure
        if (attempt === attemptsMax || !isOfAccount(error)) return yield* error
        if (error._tag === "ProviderUnreachable" && error.reason === "UrlNotAllowed") {
          return yield* error
        }
        const said = "retryAfterSeconds" in error ? error.retryAfterSeconds : null
        yield* Effect.sleep(`${Math.min(waitMax, said ?? 2 ** (attempt - 1))} seconds`)
      }
    })
  return {
    ...api,
    ask: (request) => asked(api.ask(request)),
    read: (schema, request) => asked(api.read(schema, request)),
  }
}
