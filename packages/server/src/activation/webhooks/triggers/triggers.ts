// Decides which webhooks receive an event about a person and queues it, in the same transaction as the event: a crash
// loses nothing and sends nothing twice. Organizations without active webhooks cost one query per batch. A segment that
// cannot be evaluated now is evaluated later (spec 8.5).
import { Effect, Layer } from "effect"
import {
  type JoinedVisitors,
  type KnownVisit,
  type LiveSession,
  type Occasion,
  Occasions,
} from "../../../people/visitors/occasions.ts"
import { CompanyStore } from "../../../people/visitors/companies/store.ts"
import { VisitorStore } from "../../../people/visitors/store.ts"
import { PageViews } from "./page-views.ts"
import { QuestionStore } from "./question-store.ts"
import { CompanyTriggerStore } from "./company-store.ts"
import { SegmentQuestions } from "./segment-questions.ts"
import { SessionEndStore } from "./session-end-store.ts"
import { type ListenerRow, TriggerStore } from "./store.ts"
import { SegmentMemberStore } from "./segment-member-store.ts"
import { webhookQueue } from "../sending/queue.ts"

/** Occasions handled per statement. */
const occasionsMax = 2_000

const make = Effect.gen(function* () {
  const store = yield* TriggerStore
  const companies = yield* CompanyTriggerStore
  const ends = yield* SessionEndStore
  const pageViews = yield* PageViews
  const questions = yield* QuestionStore
  const visitors = yield* VisitorStore
  const companyStore = yield* CompanyStore
  const members = yield* SegmentMemberStore

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

  const queueCompanies = Effect.fnUntraced(function* (
    listeners: ReadonlyMap<string, ListenerRow>,
    visits: ReadonlyArray<KnownVisit>,
    segments: SegmentQuestions,
  ) {
    const subscribed = new Set(
      [...listeners.values()].flatMap(({ organizationId, trigger }) =>
        trigger === "company_seen" ? [organizationId] : [],
      ),
    )
    const relevant = visits
      .filter(({ organizationId }) => subscribed.has(organizationId))
      .map(({ organizationId, sessionId }) => ({ organizationId, sessionId }))
    if (relevant.length === 0) return 0
    const dueCompanies = Map.groupBy(yield* companies.due(relevant), keyOf)
    const due = yield* Effect.forEach(dueCompanies, ([key, ofWebhook]) => {
      const listener = listeners.get(key)
      // The webhook was created after the list was read.
      if (listener === undefined) return Effect.succeed([])
      const { segment } = listener
      return Effect.map(segments.among(listener, ofWebhook), (kept) =>
        kept.map((company) => ({ ...company, segment })),
      )
    })
    yield* companies.queue(due.flat())
    return due.flat().length
  })

  const announce = Effect.fnUntraced(function* (
    occasions: ReadonlyArray<Occasion>,
    sessions: ReadonlyArray<LiveSession> = [],
    visits: ReadonlyArray<KnownVisit> = [],
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
        trigger === "first_match" || trigger === "every_update" ? [organizationId] : [],
      ),
    )
    const relevant = occasions.filter(({ organizationId }) => organizations.has(organizationId))
    const segments = new SegmentQuestions({ visitors, companies: companyStore })
    let dueCount = yield* queueCompanies(byKey, visits, segments)
    dueCount += yield* pageViews.queue(listeners, visits, segments)
    for (let from = 0; from < relevant.length; from += occasionsMax) {
      dueCount += yield* queueBatch(byKey, relevant.slice(from, from + occasionsMax), segments)
    }
    yield* questions.keep(segments.unanswered, segments.failedWebhooks)
    return dueCount
  })

  return {
    announce,
    join: (pairs: ReadonlyArray<JoinedVisitors>) =>
      Effect.andThen(members.join(pairs), store.join(pairs)),
    forget: (organizationId: string, visitorIds: ReadonlyArray<string>) =>
      Effect.andThen(
        members.forget(organizationId, visitorIds),
        store.forget(organizationId, visitorIds),
      ),
    forgetCompanies: companies.forget,
    queue: webhookQueue,
  }
})

const keyOf = ({
  organizationId,
  webhookId,
}: {
  readonly organizationId: string
  readonly webhookId: string
}): string => `${organizationId} ${webhookId}`

/** Webhooks listen to what happens to people and companies. */
export const Triggers = Layer.provide(
  Layer.effect(Occasions, make),
  Layer.mergeAll(CompanyStore.layer, PageViews.layer),
)
