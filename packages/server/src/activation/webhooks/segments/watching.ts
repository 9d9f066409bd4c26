// Finds out who enters and who leaves the segments of alerts (spec 8.7): of those who changed within seconds, and of
// everyone else in sweeps, because windows pass and lists and scores change. A turn takes about a twentieth of a second;
// one that takes longer is made smaller, down to one, who is left out if even that takes too long.
import { Cause, Clock, Context, DateTime, Effect, Layer } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { TurnSizes } from "../../../platform/database/turn-size.ts"
import { every } from "../../../platform/jobs/every.ts"
import { JobWakes } from "../../../platform/jobs/queue.ts"
import { Rotation } from "../../../platform/jobs/rotation.ts"
import { type CompanyScope, CompanyStore } from "../../../people/visitors/companies/store.ts"
import type { Predicate } from "../../../people/visitors/query/predicate.ts"
import { type RuleAst, type RuleNode, windowOf } from "../../../people/visitors/query/rule.ts"
import { VisitorStore } from "../../../people/visitors/store.ts"
import { webhookQueue } from "../sending/queue.ts"
import { notAskedMessage } from "../triggers/question-store.ts"
import { CompanyTriggerStore } from "../triggers/company-store.ts"
import { companySegmentScope, isCausedByRule, segmentScope } from "../triggers/segment-questions.ts"
import { TriggerStore } from "../triggers/store.ts"
import { asksBefore, type Judgement, judgementOf, type State } from "./judgement.ts"
import { type SegmentAlert, type WaitingWatch, type Watch, WatchStore } from "./watch-store.ts"

// Units: milliseconds.
const turnAim = 60
/** A statement that takes longer is given up, and its turn becomes smaller. */
const statementMax = 150
/** The same for one person, or one company, left out then. */
const statementOfOneMax = 1_000
/** A pass starts no further turn after this, so that the next one finds newer changes. */
const passMax = 5_000
/** Sweeps take this long of a pass, so that they use half of one connection's time. */
const sweepsMax = 1_000
/** A rule that Postgres rejects is not evaluated for this long. */
const rejectedPause = 60_000

/** From the beginning of a sweep to that of the next. Units: seconds. */
const sweepSeconds = 300
/** Where every change is noted, a sweep only makes sure. */
const noticedSweepSeconds = 86_400

/** Rows of ended watches that are deleted per pass. */
const clearedMax = 5_000

/** Why a rule could not be evaluated. */
type Failure = "rejected" | "slow"

const make = Effect.gen(function* () {
  const store = yield* WatchStore
  const triggers = yield* TriggerStore
  const companyTriggers = yield* CompanyTriggerStore
  const visitors = yield* VisitorStore
  const companies = yield* CompanyStore
  const sizes = new TurnSizes({ least: 1, first: 50, most: 4_000, aimedAtMs: turnAim })
  const rotation = new Rotation("could not look who is in the segments of alerts")
  /** When a watch whose rule was rejected is tried again. */
  const readyAt = new Map<string, number>()

  /** Of a suppressed company every session counts, of another none of a suppressed person. */
  const companiesIn = Effect.fnUntraced(function* (
    scope: CompanyScope,
    states: ReadonlyArray<State>,
    limit: number,
  ) {
    const found = new Set<string>()
    for (const isSilent of [false, true]) {
      const domains = states.flatMap((one) => (one.isSilent === isSilent ? [one.subject] : []))
      if (domains.length === 0) continue
      const suppressed = isSilent ? ("include" as const) : ("exclude" as const)
      const some = yield* companies.inScopeWithin({ ...scope, suppressed }, domains, limit)
      for (const domain of some) found.add(domain)
    }
    return found
  })

  /** Who of the people, or which of the companies, is in the segment as of a moment. */
  const inSegment = Effect.fnUntraced(function* (
    watch: Watch,
    states: ReadonlyArray<State>,
    asOf: DateTime.Utc,
    until?: DateTime.Utc,
  ): Effect.fn.Return<ReadonlySet<string> | Failure, DatabaseError> {
    if (states.length === 0) return new Set<string>()
    const limit = states.length > 1 ? statementMax : statementOfOneMax
    const failed = (failure: Failure, why: unknown) =>
      Effect.as(
        Effect.logWarning("could not evaluate the segment of an alert", {
          organizationId: watch.organizationId,
          watchId: watch.id,
          why,
        }),
        failure,
      )
    const { rule, subject } = watch
    const answer =
      subject === "companies"
        ? companiesIn({ ...companySegmentScope(watch, rule, asOf), until }, states, limit)
        : visitors.inScopeWithin(
            { ...segmentScope(watch, rule, asOf), suppressed: "include", until },
            states.map((one) => one.subject),
            limit,
          )
    return yield* answer.pipe(
      Effect.catchTag("StatementTimedOut", () =>
        states.length > 1 ? Effect.succeed("slow" as const) : failed("slow", "took too long"),
      ),
      Effect.catchCause((cause) =>
        isCausedByRule(cause) ? failed("rejected", Cause.pretty(cause)) : Effect.failCause(cause),
      ),
    )
  })

  /** Who was in the segment when the alerts that ask were made, by the alert's time. */
  const membersBefore = Effect.fnUntraced(function* (
    watch: Watch,
    states: ReadonlyArray<State>,
    alerts: ReadonlyArray<SegmentAlert>,
  ) {
    const found = new Map<number, ReadonlySet<string>>()
    for (const alert of alerts) {
      if (alert.isSettled || found.has(alert.from)) continue
      const asking = states.filter((state) => asksBefore(state, alert))
      const from = DateTime.makeUnsafe(alert.from)
      const members = yield* inSegment(watch, asking, from, from)
      if (typeof members === "string") return members
      found.set(alert.from, members)
    }
    return found
  })

  /** Queues the messages of the alerts, in the caller's transaction. */
  const tell = Effect.fnUntraced(function* (
    watch: Watch,
    judgments: ReadonlyArray<Judgement>,
    alerts: ReadonlyArray<SegmentAlert>,
    dueAt: string,
  ) {
    const told = judgments.filter(({ told }) => told.length > 0)
    if (told.length === 0) return 0
    const pixels = new Map(
      (yield* store.pixels(
        watch,
        told.map(({ subject }) => subject),
      )).map(({ pixelId, subject }) => [subject, pixelId]),
    )
    const ofId = new Map(alerts.map((alert) => [alert.webhookId, alert]))
    const events = told.flatMap(({ subject, told: toldOf }) => {
      const pixelId = pixels.get(subject)
      return pixelId === undefined
        ? []
        : toldOf.map(({ trigger, webhookId }) => ({
            organizationId: watch.organizationId,
            webhookId,
            subject,
            pixelId,
            event:
              trigger === "entered_segment"
                ? ("segment.entered" as const)
                : ("segment.left" as const),
            trigger,
            segment: ofId.get(webhookId)!.segment,
          }))
    })
    if (watch.subject === "companies") {
      yield* companyTriggers.queue(events.map((event) => ({ ...event, domain: event.subject })))
    } else {
      const kind = "profile" as const
      yield* triggers.queueEvents(
        events.map((event) => ({ ...event, visitorId: event.subject, kind, dueAt })),
      )
    }
    return events.length
  })

  /** Records who entered and left, and queues the messages about them. Returns how many. */
  const judge = Effect.fnUntraced(function* (
    watch: Watch,
    subjects: ReadonlyArray<string>,
  ): Effect.fn.Return<number | Failure, DatabaseError> {
    if (subjects.length === 0) return 0
    const asOf = yield* DateTime.now
    const { at, ms } = yield* store.now
    const alerts = (yield* store.alerts(watch)).filter(({ from }) => from <= ms)
    const states = yield* store.states(watch, subjects)
    const { from } = segmentScope(watch, watch.rule, asOf)
    const visible = states.filter(
      ({ seenAt }) => from === undefined || seenAt >= from.epochMilliseconds,
    )
    const members = yield* inSegment(watch, visible, asOf)
    if (typeof members === "string") return members
    const before = yield* membersBefore(watch, states, alerts)
    if (typeof before === "string") return before
    const judged = (state: State) =>
      judgementOf(
        state,
        members.has(state.subject),
        alerts,
        (alert) => before.get(alert.from)?.has(state.subject) === true,
      )
    const changes = states.filter((state) => judged(state).record !== undefined)
    if (changes.length === 0) return 0
    yield* store.waitForTurn(watch.organizationId)
    // Who was joined with another, or marked, meanwhile is noted again.
    const now = new Map(
      (yield* store.states(
        watch,
        changes.map(({ subject }) => subject),
      )).map((state) => [state.subject, state]),
    )
    const judgments = changes.flatMap((state) => {
      const current = now.get(state.subject)
      return current?.isIn === state.isIn &&
        current.judgedAt === state.judgedAt &&
        current.isSilent === state.isSilent
        ? [judged(state)]
        : []
    })
    yield* store.record(
      watch,
      judgments.map(({ record, subject }) => ({ subject, record: record ?? null })),
      at,
    )
    return yield* tell(watch, judgments, alerts, at)
  })

  /** Like `judge`, for as many as a turn has. One for whom it takes too long is left out, and it is said. */
  const judgeSome = Effect.fnUntraced(function* (watch: Watch, subjects: ReadonlyArray<string>) {
    const told = yield* judge(watch, subjects)
    if (told === "rejected" || (told === "slow" && subjects.length === 1)) {
      yield* store.noteFailure(watch, notAskedMessage)
    }
    return told === "slow" && subjects.length === 1 ? 0 : told
  })

  const noted = Effect.fnUntraced(function* (watch: Watch, size: number) {
    const notes = yield* store.notes(watch, size)
    const told = yield* judgeSome(
      watch,
      notes.map(({ subject }) => subject),
    )
    if (typeof told === "number") yield* store.dropNotes(watch, notes)
    return { told, count: notes.length }
  })

  const swept = Effect.fnUntraced(function* (watch: Watch, size: number) {
    if (!watch.isSweeping) yield* store.beginSweep(watch)
    const subjects = yield* store.next(watch, watch.isSweeping ? watch.after : null, size)
    const told = yield* judgeSome(watch, subjects)
    if (typeof told === "string") return { told, count: subjects.length }
    if (subjects.length === size) yield* store.moveSweep(watch, subjects.at(-1)!)
    else yield* store.endSweep(watch, isNoticed(watch.rule) ? noticedSweepSeconds : sweepSeconds)
    return { told, count: subjects.length }
  })

  /** Runs one turn if no other process has it. Returns how much it did. */
  const turn = Effect.fnUntraced(function* (
    { id, organizationId }: WaitingWatch,
    work: (
      watch: Watch,
      size: number,
    ) => Effect.Effect<{ readonly told: number | Failure; readonly count: number }, DatabaseError>,
  ) {
    const turnSize = sizes.of(id)
    const size = turnSize.next
    const begun = yield* Clock.currentTimeMillis
    const done = yield* Effect.gen(function* () {
      if (!(yield* store.takeTurn(organizationId))) return undefined
      const watch = yield* store.watch({ organizationId, id })
      return watch && (yield* work(watch, size))
    }).pipe(store.transaction, Effect.uninterruptible)
    if (done === undefined) return { told: 0, hasMore: false }
    const ended = yield* Clock.currentTimeMillis
    const { count, told } = done
    turnSize.took(told === "slow" ? size : count, Math.max(ended - begun, 1))
    rotation.took(organizationId, ended, ended - begun)
    if (told === "rejected") readyAt.set(id, ended + rejectedPause)
    return {
      told: typeof told === "number" ? told : 0,
      hasMore: told === "slow" || (told !== "rejected" && count >= size),
    }
  })

  /** Turns for these watches: the organizations in rotation, and the watches of each one after another. */
  const rotate = Effect.fnUntraced(function* (
    watches: ReadonlyArray<WaitingWatch>,
    until: number,
    work: Parameters<typeof turn>[1],
  ) {
    const now = yield* Clock.currentTimeMillis
    const ready = watches.filter(({ id }) => (readyAt.get(id) ?? 0) <= now)
    const ofOrganization = Map.groupBy(ready, ({ organizationId }) => organizationId)
    let told = 0
    yield* rotation.run(
      [...ofOrganization.keys()],
      until,
      Effect.fnUntraced(function* (organizationId) {
        const queue = ofOrganization.get(organizationId)!
        const watch = queue.shift()
        if (watch === undefined) return false
        const done = yield* turn(watch, work)
        told += done.told
        if (done.hasMore) queue.push(watch)
        return queue.length > 0
      }),
    )
    return told
  })

  return {
    /**
     * One pass. Returns how many messages wait because of it. Guarantee: safe in several processes; what is recorded and
     * what is sent commit together, so a crash loses nothing and repeats nothing.
     */
    pass: Effect.gen(function* () {
      yield* store.transaction(store.upkeep)
      const waiting = yield* store.waiting
      const begun = yield* Clock.currentTimeMillis
      for (const [id, at] of readyAt) if (at <= begun) readyAt.delete(id)
      const ofNotes = yield* rotate(
        waiting.filter(({ hasNotes }) => hasNotes),
        begun + passMax,
        noted,
      )
      const ofSweeps = yield* rotate(
        waiting.filter(({ isDue }) => isDue),
        (yield* Clock.currentTimeMillis) + sweepsMax,
        swept,
      )
      yield* store.clear(clearedMax)
      return ofNotes + ofSweeps
    }).pipe(Effect.withSpan("SegmentWatching.pass")),
  }
})

export class SegmentWatching extends Context.Service<
  SegmentWatching,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/SegmentWatching") {
  static readonly layer = Layer.effect(SegmentWatching, make)
}

/** Keeps the segments of alerts under watch. */
export const SegmentWatchWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { pass } = yield* SegmentWatching
    const wakes = yield* JobWakes
    yield* every(
      "1 second",
      "could not look who is in the segments of alerts",
      Effect.tap(pass, (told) => (told > 0 ? wakes.wake(webhookQueue) : Effect.void)),
    )
  }),
)

/** Whether every change of who is in the segment is noted: it does not depend on time, lists, scores or other people. */
export const isNoticed = (ast: RuleAst): boolean =>
  windowOf(ast, undefined) === "all" && isNoticedNode(ast.rule)

const isNoticedNode = (node: RuleNode): boolean => {
  if ("all" in node) return node.all.every(isNoticedNode)
  return "any" in node ? node.any.every(isNoticedNode) : isNoticedField(node.field)
}

const isNoticedField = (field: Predicate["field"]): boolean =>
  /^(?:attribution|behavior|contact|custom)\./.test(field)
    ? field !== "contact.list"
    : ownCompanyFields.has(field)

/** Those of `company` that are the person's own. */
const ownCompanyFields: ReadonlySet<string> = new Set([
  "company.name",
  "company.domain",
  "company.industry",
  "company.zip_code",
  "company.employee_count",
  "company.revenue_range",
  "company.job_title",
  "company.seniority",
  "company.department",
])
