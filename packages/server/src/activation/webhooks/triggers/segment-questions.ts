// Evaluates the segments of webhooks inside the transaction that changes people. Each organization gets a fixed time
// per batch, however many webhooks it has and however large the batch is. Who could not be evaluated in time is
// evaluated later (questions/). A segment that failed is skipped here for a minute, so a slow rule costs other
// organizations at most two seconds a minute.
import { DateTime, Duration, Effect, Cause, Option } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import type { CompanyScope, CompanyStore } from "../../../people/visitors/companies/store.ts"
import type { VisitorStore } from "../../../people/visitors/store.ts"
import type { Asked } from "./due-event.ts"
import type { ListenerRow } from "./store.ts"
import type { ListScope } from "../../../people/visitors/list-scope.ts"
import { type RuleAst, windowOf } from "../../../people/visitors/query/rule.ts"
import { boundsOf } from "../../../people/visitors/timeframe.ts"

/** Time limit for all segments of one organization. Units: milliseconds. */
const organizationMsMax = 5_000

/** What answers which people or companies are in a segment. */
export interface SubjectStores {
  readonly visitors: VisitorStore["Service"]
  readonly companies: CompanyStore["Service"]
}

/** The evaluations of one batch, in one transaction. */
export class SegmentQuestions {
  readonly #stores: SubjectStores
  /** Time left per organization. Units: milliseconds. */
  readonly #left = new Map<string, number>()
  readonly #unanswered: Array<Asked> = []
  readonly #failed = new Map<string, ListenerRow>()

  constructor(stores: SubjectStores) {
    this.#stores = stores
  }

  /** What would be sent about those who may or may not be in the segment. */
  get unanswered(): ReadonlyArray<Asked> {
    return this.#unanswered
  }

  /** Webhooks whose segments could not be evaluated. */
  get failedWebhooks(): ReadonlyArray<Pick<ListenerRow, "organizationId" | "webhookId">> {
    return [...this.#failed.values()].map(({ organizationId, webhookId }) => ({
      organizationId,
      webhookId,
    }))
  }

  /**
   * Returns what is about people, or companies, in the webhook's segment; everything without a segment.
   *
   * *Errors*: DatabaseError only when the whole transaction has to be retried.
   */
  among<Due extends Asked>(
    listener: ListenerRow,
    asked: ReadonlyArray<Due>,
  ): Effect.Effect<ReadonlyArray<Due>, DatabaseError> {
    const { organizationId, rule, webhookId } = listener
    if (rule === null) return Effect.succeed(asked)
    const left = this.#left.get(organizationId) ?? organizationMsMax
    if (left < 1 || listener.failedRecently || this.#failed.has(webhookId))
      return this.#later(asked)
    const ids = [...new Set(asked.map(subjectOf))]
    const limitMs = Math.ceil(Math.min(left, questionMsMax))
    return DateTime.now.pipe(
      Effect.flatMap((asOf) => segmentAnswer(this.#stores, listener, { ids, asOf, limitMs })),
      Effect.timed,
      Effect.flatMap(([took, inSegment]) => {
        this.#left.set(organizationId, left - Duration.toMillis(took))
        if (inSegment !== undefined) {
          const kept: ReadonlyArray<Due> = asked.filter((one) => inSegment.has(subjectOf(one)))
          return Effect.succeed(kept)
        }
        this.#failed.set(webhookId, listener)
        return this.#later(asked)
      }),
    )
  }

  #later<Due extends Asked>(asked: ReadonlyArray<Due>): Effect.Effect<ReadonlyArray<Due>> {
    return Effect.sync(() => {
      this.#unanswered.push(...asked)
      return []
    })
  }
}

// Evaluates a webhook's segment without endangering the calling transaction: a rule that times out or that Postgres
// rejects yields no result and breaks nothing else.

/** Time limit for one webhook's segment. Units: milliseconds. */
export const questionMsMax = 2_000

interface SegmentQuestion {
  /** Of people, or the domains of companies, as the segment contains them. */
  readonly ids: ReadonlyArray<string>
  /** The end of the rule's windows. */
  readonly asOf: DateTime.Utc
  /** Units: milliseconds. */
  readonly limitMs: number
}

/**
 * Returns which of them are in the webhook's segment; all of them without a segment. Returns undefined, and logs why, when the segment could not be evaluated.
 *
 * *Errors*: DatabaseError only when the whole transaction has to be retried.
 */
export const segmentAnswer = (
  { companies, visitors }: SubjectStores,
  listener: ListenerRow,
  { asOf, ids, limitMs }: SegmentQuestion,
): Effect.Effect<ReadonlySet<string> | undefined, DatabaseError> => {
  const { organizationId, rule, segmentSubject, webhookId } = listener
  if (rule === null) return Effect.succeed(new Set(ids))
  const none = (why: unknown) =>
    Effect.as(
      Effect.logWarning(
        "could not evaluate the segment of a webhook",
        { organizationId, webhookId },
        why,
      ),
      undefined,
    )
  const answer =
    segmentSubject === "companies"
      ? companies.inScopeWithin(companySegmentScope(listener, rule, asOf), ids, limitMs)
      : visitors.inScopeWithin(segmentScope(listener, rule, asOf), ids, limitMs)
  return answer.pipe(
    Effect.catchTag("StatementTimedOut", () => none(`took longer than ${limitMs} ms`)),
    Effect.catchCause((cause) => (isCausedByRule(cause) ? none(cause) : Effect.failCause(cause))),
  )
}

/** The people of a webhook's segment, in its pixel. */
export const segmentScope = (
  { organizationId, pixelId }: Pick<ListenerRow, "organizationId" | "pixelId">,
  rule: RuleAst,
  asOf: DateTime.Utc,
): ListScope => {
  const timeframe = windowOf(rule, undefined)
  return {
    organizationId,
    pixelId: pixelId ?? undefined,
    isEmpty: false,
    timeframe,
    asOf,
    ...boundsOf(timeframe, "UTC", asOf),
    suppressed: "exclude",
    rule: rule.rule,
  }
}

/** The companies of a webhook's segment, in its pixel. Sessions of suppressed people don't count. */
export const companySegmentScope = (
  { organizationId, pixelId }: Pick<ListenerRow, "organizationId" | "pixelId">,
  rule: RuleAst,
  asOf: DateTime.Utc,
): CompanyScope => ({
  organizationId,
  pixelId: pixelId ?? undefined,
  ...boundsOf(windowOf(rule, undefined), "UTC", asOf),
  suppressed: "exclude",
  rule: { node: rule.rule, asOf },
})

const subjectOf = (asked: Asked): string => ("domain" in asked ? asked.domain : asked.visitorId)

/** False for errors that end the whole transaction, which is then retried. */
export const isCausedByRule = (cause: Cause.Cause<DatabaseError>): boolean => {
  if (Cause.hasInterrupts(cause)) return false
  const tag = Option.getOrUndefined(Cause.findErrorOption(cause))?.reason._tag
  return tag === undefined || !wholeTransaction.has(tag)
}

const wholeTransaction: ReadonlySet<DatabaseError["reason"]["_tag"]> = new Set([
  "AuthenticationError",
  "ConnectionError",
  "DeadlockError",
  "SerializationError",
])
