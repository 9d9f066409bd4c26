// Decides which webhooks receive an event about a person and queues it, in the same transaction as the event: a crash
// loses nothing and sends nothing twice. Organizations without active webhooks cost one query per batch. A segment that
// cannot be evaluated now is evaluated later (spec 8.5).
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { VisitorStore } from "../../visitors/store.ts"
import { QuestionStore } from "../questions/store.ts"
import { CompanyTriggerStore, type Visit } from "./company-store.ts"
import type { Occasion } from "./occasion.ts"
import { SegmentQuestions } from "./segment-questions.ts"
import { SessionEndStore } from "./session-end-store.ts"
import { type JoinedVisitors, type ListenerRow, TriggerStore } from "./store.ts"
import { every } from "../../jobs/every.ts"
import { JobWakes } from "../../jobs/queue.ts"
import { webhookQueue } from "../sending/queue.ts"

/** Occasions handled per statement. */
const occasionsMax = 2_000

/** An identified person's session that this batch touched. */
export interface LiveSession {
  readonly organizationId: string
  readonly sessionId: string
  readonly pixelId: string
}

type Result<A> = Effect.Effect<A, DatabaseError>

interface TriggersShape {
  /**
   * Queues what webhooks receive about these occasions, in the order they happened, schedules session-end events, and
   * queues the companies of the visits.
   *
   * Runs in the caller's transaction, which holds the organizations' turns, after everything the occasions changed is
   * written.
   *
   * @returns how many events were queued
   */
  pull(
    occasions: ReadonlyArray<Occasion>,
    sessions?: ReadonlyArray<LiveSession>,
    visits?: ReadonlyArray<Visit>,
  ): Result<number>
  /**
   * Queues session-end events, at most `limit` per organization, each organization in its own transaction. Returns how
   * many.
   */
  pullEnded(limit: number): Result<number>
  /**
   * Merges what is recorded about visitors that are one person. Call it before the losing visitor is deleted. Runs in
   * the caller's transaction.
   */
  join(pairs: ReadonlyArray<JoinedVisitors>): Result<void>
  /** Deletes what is recorded about people who are no longer visitors. Runs in the caller's transaction. */
  forget(organizationId: string, visitorIds: ReadonlyArray<string>): Result<void>
  /** Deletes what is recorded about companies of an erased person. Runs in the caller's transaction. */
  forgetCompanies(organizationId: string, domains: ReadonlyArray<string>): Result<void>
}

const make = Effect.gen(function* () {
  const store = yield* TriggerStore
  const companies = yield* CompanyTriggerStore
  const ends = yield* SessionEndStore
  const questions = yield* QuestionStore
  const visitors = yield* VisitorStore

  const queueBatch = Effect.fnUntraced(function* (
    listeners: ReadonlyMap<string, ListenerRow>,
    occasions: ReadonlyArray<Occasion>,
    segments: SegmentQuestions,
  ) {
    const dueEvents = Map.groupBy(yield* store.dueEvents(occasions), keyOf)
    const due = yield* Effect.forEach(dueEvents, ([key, ofWebhook]) => {
      const listener = listeners.get(key)
      // The webhook was created after the list was read.
      if (listener === undefined) return Effect.succeed([])
      const { segment, trigger } = listener
      return Effect.map(segments.among(listener, ofWebhook), (kept) =>
        kept.map((dueEvent) => ({ ...dueEvent, segment, trigger })),
      )
    })
    yield* store.queueEvents(due.flat())
    return due.flat().length
  })

  const watched = (
    listeners: ReadonlyArray<ListenerRow>,
    sessions: ReadonlyArray<LiveSession>,
  ): ReadonlyArray<LiveSession> => {
    const ofOrganization = Map.groupBy(
      listeners.filter(({ trigger }) => trigger === "every_update"),
      ({ organizationId }) => organizationId,
    )
    return sessions.filter(({ organizationId, pixelId }) =>
      ofOrganization
        .get(organizationId)
        ?.some((listener) => listener.pixelId === null || listener.pixelId === pixelId),
    )
  }

  const queueCompanies = (
    listeners: ReadonlyArray<ListenerRow>,
    visits: ReadonlyArray<Visit>,
  ): Result<number> => {
    const subscribed = new Set(
      listeners.flatMap(({ organizationId, trigger }) =>
        trigger === "company_seen" ? [organizationId] : [],
      ),
    )
    const relevant = visits.filter(({ organizationId }) => subscribed.has(organizationId))
    return relevant.length === 0 ? Effect.succeed(0) : companies.queue(relevant)
  }

  const pull = Effect.fnUntraced(function* (
    occasions: ReadonlyArray<Occasion>,
    sessions: ReadonlyArray<LiveSession> = [],
    visits: ReadonlyArray<Visit> = [],
  ) {
    const organizationIds = new Set(
      [...occasions, ...visits].map(({ organizationId }) => organizationId),
    )
    if (organizationIds.size === 0) return 0
    const listeners = yield* store.listeners([...organizationIds])
    if (listeners.length === 0) return 0
    yield* ends.watch(watched(listeners, sessions))
    const byKey = new Map(listeners.map((listener) => [keyOf(listener), listener]))
    const organizations = new Set(
      listeners.flatMap(({ organizationId, trigger }) =>
        trigger === "company_seen" ? [] : [organizationId],
      ),
    )
    const relevant = occasions.filter(({ organizationId }) => organizations.has(organizationId))
    const segments = new SegmentQuestions(visitors)
    let dueCount = yield* queueCompanies(listeners, visits)
    for (let from = 0; from < relevant.length; from += occasionsMax) {
      dueCount += yield* queueBatch(byKey, relevant.slice(from, from + occasionsMax), segments)
    }
    yield* questions.keep(segments.unanswered, segments.failedWebhooks)
    return dueCount
  })

  const pullEnded = Effect.fnUntraced(function* (limit: number) {
    const counts = yield* Effect.forEach(yield* ends.organizations(limit), (organizationId) =>
      store.inTurn(
        organizationId,
        Effect.gen(function* () {
          const ended = yield* ends.ended(organizationId, limit)
          yield* pull(ended.map((session) => ({ ...session, kind: "session_end" as const })))
          return ended.length
        }),
      ),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  })

  return {
    pull,
    pullEnded,
    join: store.join,
    forget: store.forget,
    forgetCompanies: companies.forget,
  } satisfies TriggersShape
})

const keyOf = ({
  organizationId,
  webhookId,
}: {
  readonly organizationId: string
  readonly webhookId: string
}): string => `${organizationId} ${webhookId}`

export class Triggers extends Context.Service<Triggers, TriggersShape>()(
  "@footfall/server/webhooks/Triggers",
) {
  static readonly layer = Layer.effect(Triggers, make)
}

// Sends session-end events a few seconds after they are due, 30 minutes after a session's last event (spec 8.5).
// Processes take turns. Logs failures and retries.

/** Sessions per transaction; other work gets the organization's turn in between. */
const endedPerBatchMax = 1_000

export const SessionEndWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const triggers = yield* Triggers
    const wakes = yield* JobWakes

    const queueDue = Effect.uninterruptible(triggers.pullEnded(endedPerBatchMax)).pipe(
      Effect.tap((ended) => (ended > 0 ? wakes.wake(webhookQueue) : Effect.void)),
      Effect.repeat({ while: (ended) => ended >= endedPerBatchMax }),
    )
    yield* every("5 seconds", "could not queue session-end events", queueDue)
  }),
)
