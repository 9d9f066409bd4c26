// Decides which page views alerts send (spec 8.6), in the transaction that identifies their visitors. A session is
// looked at whenever something arrives of it, until it is sent: the page may have to be visible for a while, and its
// visitor may become known later. Organizations without such alerts cost nothing.
import { Context, Effect, Layer } from "effect"
import { matchesAny } from "@footfall/pixel/path-filter"
import { pathOf } from "../../../collect/visits/page-url.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { secondsVisible } from "../../../people/events/seconds-visible.ts"
import type { KnownVisit } from "../../../people/visitors/occasions.ts"
import type { SeenPage } from "../delivery-record.ts"
import type { Candidate, DueView } from "./due-event.ts"
import { type AlertSession, PageViewStore, type SessionMoment } from "./page-view-store.ts"
import type { Question } from "./question-store.ts"
import type { SegmentQuestions } from "./segment-questions.ts"
import type { ListenerRow } from "./store.ts"

/** Sessions whose events are in memory at the same time. */
const sessionsMax = 200

type Result<A> = Effect.Effect<A, DatabaseError>

const make = Effect.gen(function* () {
  const store = yield* PageViewStore

  const viewsOf = Effect.fnUntraced(function* (
    candidates: ReadonlyArray<Candidate>,
    listeners: ReadonlyMap<string, ListenerRow>,
  ) {
    const sessions = [...new Map(candidates.map((one) => [one.sessionId, one])).values()]
    const moments = Map.groupBy(yield* store.moments(sessions), ({ sessionId }) => sessionId)
    const seconds = new Map(
      [...moments].map(([sessionId, of]) => [sessionId, secondsVisible(of)] as const),
    )
    return candidates.flatMap((candidate): ReadonlyArray<DueView> => {
      const { sessionId, webhookId } = candidate
      const page = pageOf(
        { ...candidate, path: listeners.get(webhookId)?.path ?? null },
        moments.get(sessionId) ?? [],
        seconds.get(sessionId) ?? new Map(),
      )
      return page === undefined ? [] : [{ ...candidate, page }]
    })
  })

  const queue = Effect.fnUntraced(function* (
    listeners: ReadonlyArray<ListenerRow>,
    visits: ReadonlyArray<KnownVisit>,
    segments: SegmentQuestions,
  ) {
    const alerts = new Map(
      listeners.flatMap((one) =>
        one.trigger === "page_viewed" ? [[one.webhookId, one] as const] : [],
      ),
    )
    if (alerts.size === 0) return 0
    const asked = matching([...alerts.values()], visits)
    const candidates = asked.length === 0 ? [] : yield* store.candidates(asked)
    const views: Array<DueView> = []
    for (let from = 0; from < candidates.length; from += sessionsMax) {
      views.push(...(yield* viewsOf(candidates.slice(from, from + sessionsMax), alerts)))
    }
    const ofAlerts = Map.groupBy(views, ({ webhookId }) => webhookId)
    const due = yield* Effect.forEach(ofAlerts, ([webhookId, ofAlert]) => {
      // The alert's statement found the same row.
      const alert = alerts.get(webhookId)!
      return Effect.map(inSegment(alert, ofAlert, segments), (told) =>
        onceEach(told).map((view) => ({ ...view, segment: alert.segment })),
      )
    })
    yield* store.queue(due.flat())
    return due.flat().length
  })

  const queueAnswered = Effect.fnUntraced(function* (
    alert: ListenerRow,
    questions: ReadonlyArray<Question>,
  ) {
    const { segment, webhookId } = alert
    const pages = new Map(
      questions.flatMap(({ view }) =>
        view === null ? [] : [[view.sessionId, view.page] as const],
      ),
    )
    const sessions = questions.flatMap((one) => {
      const sessionId = one.view?.sessionId ?? one.sessionId
      return sessionId === null
        ? []
        : [{ organizationId: one.organizationId, webhookId, sessionId }]
    })
    if (sessions.length === 0) return
    const candidates = yield* store.candidates(sessions)
    // Of a company's session, only its events say what was viewed.
    const unread = candidates.filter(({ sessionId }) => !pages.has(sessionId))
    const views = [
      ...candidates.flatMap((one) => {
        const page = pages.get(one.sessionId)
        return page === undefined ? [] : [{ ...one, page }]
      }),
      ...(unread.length === 0 ? [] : yield* viewsOf(unread, new Map([[webhookId, alert]]))),
    ]
    yield* store.queue(onceEach(views).map((view) => ({ ...view, segment })))
  })

  return {
    /** Queues what alerts send about these visits. Returns how many events. Runs in the caller's transaction. */
    queue: queue as (...given: Parameters<typeof queue>) => Result<number>,
    /** Queues the page views of those who turned out to be in the alert's segment, if they may still be sent. */
    queueAnswered,
  }
})

export class PageViews extends Context.Service<PageViews, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/PageViews",
) {
  static readonly layer = Layer.provide(Layer.effect(PageViews, make), PageViewStore.layer)
}

/** The alerts and sessions with a page that the alert is about. */
const matching = (
  alerts: ReadonlyArray<ListenerRow>,
  visits: ReadonlyArray<KnownVisit>,
): ReadonlyArray<AlertSession> => {
  const ofOrganization = Map.groupBy(alerts, ({ organizationId }) => organizationId)
  return visits.flatMap(({ organizationId, pages, pixelId, sessionId }) =>
    (ofOrganization.get(organizationId) ?? []).flatMap((alert) =>
      (alert.pixelId === null || alert.pixelId === pixelId) &&
      pages.some(({ url }) => isAbout(alert.path, url))
        ? [{ organizationId, webhookId: alert.webhookId, sessionId }]
        : [],
    ),
  )
}

/** Whether an alert with this path is about the page. */
export const isAbout = (path: string | null, url: string): boolean =>
  path === null || matchesAny([path], URL.parse(url)?.pathname ?? "")

/** The last of a session's page views that an alert is about; undefined without one. */
export const pageOf = (
  {
    minSeconds,
    path,
    watchedFrom,
  }: Pick<Candidate, "minSeconds" | "watchedFrom"> & { readonly path: string | null },
  moments: ReadonlyArray<Omit<SessionMoment, "sessionId">>,
  seconds: ReadonlyMap<string, number>,
): SeenPage | undefined => {
  const view = moments.findLast(
    ({ id, isLate, receivedAt, seconds: ofHeartbeat, url }) =>
      ofHeartbeat === null &&
      !isLate &&
      receivedAt >= watchedFrom &&
      (seconds.get(id) ?? 0) >= minSeconds &&
      isAbout(path, url),
  )
  return view === undefined
    ? undefined
    : {
        path: pathOf(view.url),
        title: view.title,
        secondsVisible: seconds.get(view.id) ?? null,
      }
}

/** Without those outside the alert's segment. No one who is not identified is in one of people. */
const inSegment = (
  alert: ListenerRow,
  views: ReadonlyArray<DueView>,
  segments: SegmentQuestions,
): Result<ReadonlyArray<DueView>> => {
  if (alert.rule === null) return Effect.succeed(views)
  if (alert.segmentSubject === "companies") {
    const companies = views.flatMap((due) =>
      due.companyKey === null ? [] : [{ ...due, domain: due.companyKey }],
    )
    return companies.length === 0 ? Effect.succeed([]) : segments.among(alert, companies)
  }
  const asked = views.flatMap((due) => {
    const { page, sessionId, visitorId } = due
    return visitorId === null
      ? []
      : [{ ...due, visitorId, kind: "activity" as const, view: { sessionId, page } }]
  })
  return asked.length === 0 ? Effect.succeed([]) : segments.among(alert, asked)
}

/** One view of a person or company that the alert sends once in several sessions. */
const onceEach = <View extends DueView>(views: ReadonlyArray<View>): ReadonlyArray<View> => {
  const told = new Set<string>()
  return views.filter(({ companyDomain, isLimited, visitorId, webhookId }) => {
    const key = `${webhookId} ${visitorId ?? companyDomain}`
    if (isLimited && told.has(key)) return false
    told.add(key)
    return true
  })
}
