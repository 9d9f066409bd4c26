// What someone read in one session: its page views and custom events, oldest first (spec 5.1.10). Events are read from
// Postgres and then from ClickHouse, because an event is there before it leaves Postgres.
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { keyPageOf } from "../../collect/visits/key-page.ts"
import { Pixels } from "../../collect/pixels/pixels.ts"
import { pathOf } from "../../collect/visits/page-url.ts"
import {
  cursorExpiry,
  type CursorRefused,
  decodeCursor,
  encodeCursor,
} from "../../platform/lists/cursor.ts"
import { filtersHash } from "../../platform/lists/keyed-lists.ts"
import { Secrets } from "../../platform/secrets/secrets.ts"
import { EventArchive } from "../archive/event-archive.ts"
import type { EventPosition, ListedEvent, Moment } from "../archive/session-events.ts"
import { QueryTooSlow, type RulesBusy, RuleTurns } from "../visitors/query/rule-turns.ts"
import { sessionWithId } from "../visitors/sessions/session-id.ts"
import type { SessionKey } from "../visitors/sessions/store.ts"
import { secondsVisible } from "./seconds-visible.ts"
import { type FoundSession, SessionEventStore, type SessionOwner } from "./store.ts"

/** Sessions that are compared with an id at first, and at a time after that. */
const firstCandidates = 1_000
const moreCandidates = 10_000
/** How long the session is looked for. A company may have very many. */
const searchSecondsMax = 10
/** Page views and heartbeats that are read for a page of the list: a week of a page that stays visible. */
const momentsMax = 20_000

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {}) {}

export interface SessionEventQuestion {
  readonly organizationId: string
  readonly owner: SessionOwner
  /** The pixels that the caller may see. Undefined: all of the organization. */
  readonly pixelIds?: ReadonlyArray<string> | undefined
  /** As in session summaries. */
  readonly sessionId: string
  readonly limit: number
  readonly cursor: string | undefined
}

export interface TimedEvent extends ListedEvent {
  /** Null if it is not known, and for custom events. */
  readonly secondsVisible: number | null
  /** The name of a key page. */
  readonly keyPage: string | null
}

export interface SessionEventPage {
  readonly events: ReadonlyArray<TimedEvent>
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

interface SessionEventsShape {
  /**
   * One page of a session's events.
   *
   * *Errors*: SessionNotFound for an unknown session, another's, and one of someone who is suppressed or, as a person's,
   * held back; CursorRefused for another list's cursor; QueryTooSlow and RulesBusy for an owner with very many sessions.
   */
  page(
    question: SessionEventQuestion,
  ): Effect.Effect<SessionEventPage, SessionNotFound | CursorRefused | QueryTooSlow | RulesBusy>
}

const make = Effect.gen(function* () {
  const store = yield* SessionEventStore
  const archive = yield* EventArchive
  const secrets = yield* Secrets
  const turns = yield* RuleTurns
  const pixels = yield* Pixels

  /** The newest sessions of almost everyone are among the first. The rest is expensive, so it takes turns with rules. */
  const search = Effect.fnUntraced(function* ({
    organizationId,
    owner,
    sessionId,
  }: SessionEventQuestion) {
    let after: SessionKey | undefined
    do {
      const count = after === undefined ? firstCandidates : moreCandidates
      const read = store.candidates(organizationId, owner, after, count)
      const candidates = yield* after === undefined ? read : turns.take(organizationId, read)
      const found = sessionWithId(sessionId, candidates, secrets)
      if (found !== undefined) return found.id
      after = candidates[count - 1]
    } while (after !== undefined)
    return yield* new SessionNotFound()
  })

  const idOf = (question: SessionEventQuestion) =>
    Effect.timeoutOrElse(search(question), {
      duration: Duration.seconds(searchSecondsMax),
      orElse: () => Effect.fail(new QueryTooSlow({ seconds: searchSecondsMax })),
    })

  const read = Effect.fnUntraced(function* (
    session: FoundSession,
    after: EventPosition | undefined,
    count: number,
  ) {
    const here = yield* Effect.all(
      {
        listed: store.listed(session, after, count),
        moments: store.moments(session, after, momentsMax),
      },
      { concurrency: "unbounded" },
    )
    if (!session.isArchived) return here
    const limits = { listed: count, moments: momentsMax }
    const there = yield* Effect.orDie(archive.ofSession(session, after, limits))
    return {
      listed: together(here.listed, there.listed).slice(0, count),
      moments: together<Moment>(here.moments, there.moments).slice(0, momentsMax),
    }
  })

  const page: SessionEventsShape["page"] = Effect.fn("SessionEvents.page")(function* (question) {
    const { limit, organizationId, owner, sessionId } = question
    const now = yield* DateTime.now
    const bound = { o: organizationId, f: filtersHash([owner, sessionId]) }
    const cursor =
      question.cursor === undefined
        ? undefined
        : yield* openCursor(secrets, question.cursor, {
            now,
            isInScope: ({ f, o }) => o === bound.o && f === bound.f,
          })
    const id = cursor?.i ?? (yield* idOf(question))
    const session = yield* store.find(organizationId, owner, id)
    if (session === undefined) return yield* new SessionNotFound()
    const { pixelIds } = question
    if (pixelIds !== undefined && !pixelIds.includes(session.pixelId)) {
      return yield* new SessionNotFound()
    }
    const after = cursor && { at: cursor.k[0], id: cursor.k[1] }
    const { listed, moments } = yield* read(session, after, limit + 1)
    const seconds = secondsVisible(moments)
    const sites = (yield* pixels.list(organizationId)).filter((site) => site.id === session.pixelId)
    const events = listed.slice(0, limit).map((event) => ({
      ...event,
      secondsVisible: event.type === "page" ? (seconds.get(event.id) ?? null) : null,
      keyPage:
        event.type === "page" && event.url !== null ? keyPageOf(pathOf(event.url), sites) : null,
    }))
    const last = events.at(-1)
    if (last === undefined || listed.length <= limit) {
      return { events, hasMore: false, nextCursor: null }
    }
    const nextCursor = encodeCursor<EventCursor>(secrets, {
      ...bound,
      i: id,
      k: [last.at, last.id],
      exp: cursorExpiry(now),
    })
    return { events, hasMore: true, nextCursor }
  })

  return { page } satisfies SessionEventsShape
})

export class SessionEvents extends Context.Service<SessionEvents, SessionEventsShape>()(
  "@footfall/server/events/SessionEvents",
) {
  static readonly layer = Layer.effect(SessionEvents, make)
}

/** In the order of time, then of ids. An event that is being moved is in both. */
const together = <Event extends { readonly at: number | string; readonly id: string }>(
  here: ReadonlyArray<Event>,
  there: ReadonlyArray<Event>,
): ReadonlyArray<Event> =>
  [...new Map([...there, ...here].map((event) => [event.id, event])).values()].toSorted((a, b) =>
    a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1,
  )

const uuid = Schema.String.check(Schema.isUUID())

class EventCursor extends Schema.Opaque<EventCursor>()(
  Schema.Struct({
    /** Organization. */
    o: Schema.String,
    /** Hash of the owner and the session. */
    f: Schema.String,
    /** The session's id in the database, so that it is looked for only once. */
    i: uuid,
    /** Time and id of the last event. */
    k: Schema.Tuple([Schema.String, uuid]),
    /** Expiry in Unix seconds. */
    exp: Schema.Int,
  }),
) {}

const openCursor = decodeCursor(EventCursor)
