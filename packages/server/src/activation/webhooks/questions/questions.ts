// Re-evaluates webhook segments for people and companies whose first evaluation failed (spec 8.5: once per webhook and
// person, the first time they match), so that someone who never comes back is still sent. The segment is evaluated as
// of the time of their activity, outside the identification pass; the result is written inside one. After eight failures, 41 hours
// later, it gives up.
import { Context, DateTime, Effect, Layer } from "effect"
import { CompanyStore } from "../../../people/visitors/companies/store.ts"
import { VisitorStore } from "../../../people/visitors/store.ts"
import { questionMsMax, segmentAnswer } from "../triggers/segment-questions.ts"
import { CompanyTriggerStore } from "../triggers/company-store.ts"
import { PageViews } from "../triggers/page-views.ts"
import { type ListenerRow, TriggerStore } from "../triggers/store.ts"
import { type Question, QuestionStore } from "../triggers/question-store.ts"
import { every } from "../../../platform/jobs/every.ts"
import { JobWakes } from "../../../platform/jobs/queue.ts"
import { webhookQueue } from "../sending/queue.ts"

const make = Effect.gen(function* () {
  const store = yield* QuestionStore
  const triggers = yield* TriggerStore
  const pageViews = yield* PageViews
  const companies = yield* CompanyTriggerStore
  const stores = { visitors: yield* VisitorStore, companies: yield* CompanyStore }

  /** Skips those who have been suppressed or sent in the meantime. */
  const queueMatches = Effect.fnUntraced(function* (
    listener: ListenerRow,
    matching: ReadonlyArray<Question>,
  ) {
    const { segment, trigger, webhookId } = listener
    if (trigger === "page_viewed") return yield* pageViews.queueAnswered(listener, matching)
    if (trigger === "company_seen") {
      const sessions = matching.flatMap(({ organizationId, sessionId }) =>
        sessionId === null ? [] : [{ organizationId, sessionId }],
      )
      const due = yield* companies.due(sessions)
      return yield* companies.queue(
        due
          .filter((company) => company.webhookId === webhookId)
          .map((company) => ({ ...company, segment })),
      )
    }
    const people = matching.flatMap((one) =>
      one.visitorId === null ? [] : [{ ...one, visitorId: one.visitorId }],
    )
    const dueEvents = yield* triggers.dueEvents(people)
    yield* triggers.queueEvents(
      dueEvents
        .filter((dueEvent) => dueEvent.webhookId === webhookId)
        .map((dueEvent) => ({ ...dueEvent, segment, trigger })),
    )
  })

  const evaluate = Effect.fnUntraced(function* (
    listener: ListenerRow,
    questions: ReadonlyArray<Question>,
  ) {
    const asOf = DateTime.makeUnsafe(Math.min(...questions.map(({ askedAtMs }) => askedAtMs)))
    const ids = questions.flatMap((one) => subjectOf(listener, one) ?? [])
    const question = { ids, asOf, limitMs: questionMsMax }
    const inSegment = yield* segmentAnswer(stores, listener, question)
    const { organizationId, webhookId } = listener
    if (inSegment === undefined) {
      const count = yield* triggers.inTurn(organizationId, store.postpone(questions))
      if (count === 0) return
      return yield* Effect.logError("gave up on the segment of a webhook", {
        organizationId,
        webhookId,
        questions: count,
      })
    }
    const matching = questions.filter((one) => inSegment.has(subjectOf(listener, one) ?? ""))
    yield* triggers.inTurn(
      organizationId,
      Effect.andThen(
        matching.length === 0 ? Effect.void : queueMatches(listener, matching),
        store.removeEvaluated(questions),
      ),
    )
  })

  /**
   * Evaluates the segment of one webhook that has questions due. Returns how many it covered; 0 when none are due.
   */
  const evaluateNext = Effect.gen(function* () {
    const questions = yield* store.take
    const [first] = questions
    if (first === undefined) return 0
    const listeners = yield* triggers.listeners([first.organizationId])
    const listener = listeners.find(({ webhookId }) => webhookId === first.webhookId)
    // A webhook that was paused in the meantime is evaluated once it is active again.
    if (listener !== undefined) yield* evaluate(listener, questions)
    return questions.length
  }).pipe(Effect.withSpan("Questions.evaluateNext"))

  return { evaluateNext }
})

/** Null if the webhook had a segment of the other subject when the question came up. */
const subjectOf = (
  { segmentSubject }: ListenerRow,
  { domain, visitorId }: Question,
): string | null => {
  if (segmentSubject === null) return domain ?? visitorId
  return segmentSubject === "companies" ? domain : visitorId
}

export class Questions extends Context.Service<Questions, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/Questions",
) {
  static readonly layer = Layer.provide(
    Layer.effect(Questions, make),
    Layer.mergeAll(CompanyStore.layer, PageViews.layer),
  )
}

// Re-evaluates segments within a few seconds of their due time. Processes take turns. Logs failures and retries.
export const QuestionWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const questions = yield* Questions
    const wakes = yield* JobWakes

    const evaluateDue = Effect.uninterruptible(questions.evaluateNext).pipe(
      Effect.tap((evaluated) => (evaluated > 0 ? wakes.wake(webhookQueue) : Effect.void)),
      Effect.repeat({ while: (evaluated) => evaluated > 0 }),
    )
    yield* every("5 seconds", "could not evaluate segments of webhooks again", evaluateDue)
  }),
)
