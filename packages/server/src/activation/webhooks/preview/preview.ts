// Tries a webhook on the sessions of the last days (spec 5.6.11): what it would have sent, and the message about the
// newest. Nothing is stored or sent. Sessions are read a page at a time, so that memory holds little of them, and the
// whole takes no longer than a rule may.
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccessConfig } from "../../../access/access-config.ts"
import { Pixels } from "../../../collect/pixels/pixels.ts"
import { pathOf } from "../../../collect/visits/page-url.ts"
import { statementLimitMs } from "../../../platform/database/statement-limits.ts"
import { newMessageId } from "../../../platform/outbound/signing.ts"
import { secondsVisible } from "../../../people/events/seconds-visible.ts"
import { Lists } from "../../../people/lists/lists.ts"
import { CompanyStore } from "../../../people/visitors/companies/store.ts"
import { orTooSlow, QueryTooSlow, RuleTurns } from "../../../people/visitors/query/rule-turns.ts"
import { Segments } from "../../../people/visitors/segments/segments.ts"
import type { SegmentRow } from "../../../people/visitors/segments/store.ts"
import { VisitorStore } from "../../../people/visitors/store.ts"
import type { SeenPage } from "../delivery-record.ts"
import { bodyOf, companyBodyOf, pageBodyOf } from "../formats/format.ts"
import type { Envelope, PageView } from "../payload.ts"
import { pageViewReader } from "../sending/page-view-reader.ts"
import type { WebhookContent } from "../store.ts"
import { PageViewStore } from "../triggers/page-view-store.ts"
import { isAbout, pageOf } from "../triggers/page-views.ts"
import { companySegmentScope, segmentScope } from "../triggers/segment-questions.ts"
import { isAboutSegment, type WebhookTrial } from "../webhook.ts"
import { Webhooks } from "../webhooks.ts"
import { PreviewStore, type TrialSession } from "./store.ts"
import { againOf, type Match, Tally } from "./tally.ts"

/** Sessions that are read at a time. */
const sessionsMax = 5_000
/** Sessions whose events are in memory at the same time. */
const momentsOf = 200
const secondsMax = statementLimitMs / 1_000

/** Who entered or left a segment in the past is not stored. */ // spec 8.7
export class NothingToTry extends Schema.TaggedError<NothingToTry>()("NothingToTry", {
  trigger: Schema.String,
}) {}

const days = { "24h": 1, "7d": 7, "30d": 30 }

const make = Effect.gen(function* () {
  const store = yield* PreviewStore
  const pageViews = yield* PageViewStore
  const webhooks = yield* Webhooks
  const segments = yield* Segments
  const lists = yield* Lists
  const pixels = yield* Pixels
  const visitors = yield* VisitorStore
  const companies = yield* CompanyStore
  const turns = yield* RuleTurns
  const random = yield* SecureRandom.SecureRandom
  const { baseUrl } = yield* AccessConfig
  const viewsOf = pageViewReader(visitors, companies)

  /** The pages of sessions that the webhook is about and that were visible long enough, by session. */
  const pagesOf = Effect.fnUntraced(function* (
    organizationId: string,
    { minSeconds, path }: Pick<WebhookContent, "minSeconds" | "path">,
    sessions: ReadonlyArray<TrialSession>,
  ) {
    const pages = new Map<string, SeenPage>()
    for (let from = 0; from < sessions.length; from += momentsOf) {
      const some = sessions.slice(from, from + momentsOf)
      const keys = some.map(({ id, receivedFrom }) => ({
        organizationId,
        sessionId: id,
        receivedFrom,
      }))
      const moments = Map.groupBy(
        yield* Effect.orDie(pageViews.moments(keys)),
        ({ sessionId }) => sessionId,
      )
      for (const [sessionId, of] of moments) {
        const seen = pageOf(
          { minSeconds: minSeconds ?? 0, path, watchedFrom: 0 },
          of,
          secondsVisible(of),
        )
        if (seen !== undefined) pages.set(sessionId, seen)
      }
    }
    return pages
  })

  /** The sessions that the webhook would send, each with the time. */
  const matchesOf = Effect.fnUntraced(function* (
    organizationId: string,
    content: WebhookContent,
    segment: SegmentRow | null,
    sessions: ReadonlyArray<TrialSession>,
  ) {
    const candidates = sessions.flatMap((session) => matchOf(content, session) ?? [])
    const shown =
      (content.minSeconds ?? 0) === 0
        ? undefined
        : yield* pagesOf(
            organizationId,
            content,
            candidates.map(({ session }) => session),
          )
    const visible = candidates.filter(({ session }) => shown?.has(session.id) ?? true)
    if (segment === null) return visible
    const asOf = yield* DateTime.now
    const where = { organizationId, pixelId: content.pixelId }
    const isOfCompanies = segment.subject === "companies"
    const subjectOf = ({ session: { companyDomain, visitorId } }: Match) =>
      isOfCompanies ? companyDomain : visitorId
    const ids = [...new Set(visible.flatMap((match) => subjectOf(match) ?? []))]
    const answer = isOfCompanies
      ? companies.inScopeWithin(
          { ...companySegmentScope(where, segment.ruleAst, asOf), suppressed: "include" },
          ids,
          statementLimitMs,
        )
      : visitors.inScopeWithin(
          { ...segmentScope(where, segment.ruleAst, asOf), suppressed: "include" },
          ids,
          statementLimitMs,
        )
    const inSegment = yield* Effect.catchTag(answer, "SqlError", Effect.die)
    return visible.filter((match) => inSegment.has(subjectOf(match) ?? ""))
  })

  const tallied = Effect.fnUntraced(function* (
    organizationId: string,
    content: WebhookContent,
    segment: SegmentRow | null,
    count: number,
  ) {
    const tally = new Tally(againOf(content))
    const scope = { organizationId, pixelId: content.pixelId, listId: content.listId, days: count }
    let after: TrialSession | undefined
    do {
      const sessions = yield* store.sessions(scope, after, sessionsMax)
      const matches = yield* matchesOf(organizationId, content, segment, sessions)
      for (const match of matches) tally.add(match)
      after = sessions[sessionsMax - 1]
    } while (after !== undefined)
    return tally
  })

  /** Reads who the samples are about. */
  const shown = Effect.fnUntraced(function* (
    organizationId: string,
    content: WebhookContent,
    matches: ReadonlyArray<Match & { readonly told: boolean }>,
  ) {
    const asOf = yield* DateTime.now
    const list = content.listId === null ? null : yield* lists.find(organizationId, content.listId)
    const isOfCompanies = content.trigger === "company_seen"
    const subjects = matches.map(({ session: { companyDomain, visitorId } }) => ({
      visitorId: isOfCompanies ? null : visitorId,
      companyDomain: isOfCompanies || visitorId === null ? companyDomain : null,
    }))
    const viewOf = yield* Effect.orDie(
      viewsOf(asOf, { organizationId, webhookPixelId: content.pixelId }, subjects),
    )
    const pages = yield* pagesOf(
      organizationId,
      content,
      matches.map(({ session }) => session),
    )
    return matches.flatMap(({ at, session, told, url }, place) => {
      const page = pages.get(session.id) ?? {
        path: url === null ? "/" : pathOf(url),
        title: null,
        secondsVisible: null,
      }
      const view = viewOf({
        ...subjects[place]!,
        page,
        list: list && { id: list.id, name: list.name },
      })
      return view === undefined ? [] : [{ at, told, view, pixelId: session.pixelId }]
    })
  })

  const messageOf = Effect.fnUntraced(function* (
    organizationId: string,
    { format, trigger }: WebhookContent,
    segment: SegmentRow | null,
    { pixelId, view }: { readonly pixelId: string; readonly view: PageView },
  ) {
    const { domain } = yield* pixels.find({ organizationId, pixelId })
    const envelope: Envelope = {
      id: yield* newMessageId(random),
      event: events[trigger],
      timestamp: DateTime.formatIso(yield* DateTime.now),
      trigger,
      organizationId,
      segment: segment && { id: segment.id, name: segment.name },
      pixel: { id: pixelId, domain },
    }
    if (trigger === "page_viewed") return pageBodyOf(format, envelope, view, baseUrl)
    if (trigger === "company_seen") return companyBodyOf(format, envelope, view.company!, baseUrl)
    return bodyOf(format, envelope, view.visitor!, baseUrl)
  })

  const of = Effect.fn("WebhookPreviews.of")(function* (
    organizationId: string,
    { timeframe = "30d", ...given }: WebhookTrial,
  ) {
    const content = yield* webhooks.trial(organizationId, given)
    const { trigger } = content
    if (isAboutSegment(trigger)) return yield* new NothingToTry({ trigger })
    const segment =
      content.segmentId === null ? null : yield* segments.find(organizationId, content.segmentId)
    const tried = Effect.gen(function* () {
      const tally = yield* orTooSlow(tallied(organizationId, content, segment, days[timeframe]))
      const samples = yield* shown(organizationId, content, tally.newest)
      const [newest] = samples
      const message =
        newest === undefined
          ? null
          : yield* messageOf(organizationId, content, segment, newest).pipe(
              // A site that was deleted sends nothing any more.
              Effect.catchTag("PixelNotFound", () => Effect.succeed(null)),
            )
      return {
        message,
        told: tally.byAgain[againOf(content)],
        heldBack: {
          again: tally.byAgain.every_session - tally.byAgain[againOf(content)],
          suppressed: tally.suppressed,
        },
        byAgain: tally.byAgain,
        samples: samples.map(({ at, told, view }) => ({
          at: DateTime.formatIso(DateTime.makeUnsafe(at)),
          visitor: view.visitor && {
            emailHash: view.visitor.emailHash,
            email: view.visitor.email,
            fullName: view.visitor.fullName,
          },
          company: view.company && { domain: view.company.domain, name: view.company.name },
          page: content.trigger === "page_viewed" ? view.page : null,
          told,
        })),
      }
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.seconds(secondsMax),
        orElse: () => Effect.fail(new QueryTooSlow({ seconds: secondsMax })),
      }),
    )
    return yield* turns.take(organizationId, tried)
  })

  return {
    /**
     * What the webhook would have sent in the timeframe, counting from its beginning.
     *
     * *Errors*: those of a creation; NothingToTry for a trigger about a segment; QueryTooSlow for too many sessions;
     * RulesBusy.
     */
    of,
  }
})

export class WebhookPreviews extends Context.Service<
  WebhookPreviews,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/WebhookPreviews") {
  static readonly layer = Layer.effect(WebhookPreviews, make)
}

const events = {
  first_match: "visitor.identified",
  every_update: "visitor.identified",
  company_seen: "company.identified",
  page_viewed: "page.viewed",
  entered_segment: "segment.entered",
  left_segment: "segment.left",
} as const

/** Undefined if the webhook would not send the session, whatever its segment and the time a page was visible. */
const matchOf = (
  { identified, path, trigger }: WebhookContent,
  session: TrialSession,
): Match | undefined => {
  const { companyDomain, isListed, pages, startedAt, viewedAt, visitorId } = session
  if (!isListed) return undefined
  if (trigger === "company_seen") {
    return companyDomain === null
      ? undefined
      : { session, at: startedAt, url: null, subject: companyDomain }
  }
  const subject = visitorId ?? companyDomain!
  if (trigger !== "page_viewed") {
    return visitorId === null ? undefined : { session, at: startedAt, url: null, subject }
  }
  if (identified === "identified" && visitorId === null) return undefined
  if (identified === "anonymous" && visitorId !== null) return undefined
  const place = pages.findIndex((url) => isAbout(path, url))
  return place === -1
    ? undefined
    : { session, at: viewedAt[place] ?? startedAt, url: pages[place]!, subject }
}
