// Evaluates the segments of webhooks inside the transaction that changes people. Each organization gets a fixed time
// per batch, however many webhooks it has and however large the batch is. People who could not be evaluated in time are
// evaluated later (questions/). A segment that failed is skipped here for a minute, so a slow rule costs other
// organizations at most two seconds a minute.
import { DateTime, Duration, Effect, Cause, Option } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import type { VisitorStore } from "../../../people/visitors/store.ts"
import type { Asked } from "./due-event.ts"
import type { ListenerRow } from "./store.ts"
import type { ListScope } from "../../../people/visitors/list-scope.ts"
import { type RuleAst, windowOf } from "../../../people/visitors/query/rule.ts"
import { boundsOf } from "../../../people/visitors/timeframe.ts"

/** Time limit for all segments of one organization. Units: milliseconds. */
const organizationMsMax = 5_000

/** The evaluations of one batch, in one transaction. */
export class SegmentQuestions {
  readonly #visitors: VisitorStore["Service"]
  /** Time left per organization. Units: milliseconds. */
  readonly #left = new Map<string, number>()
  readonly #unanswered: Array<Asked> = []
  readonly #failed = new Map<string, ListenerRow>()

  constructor(visitors: VisitorStore["Service"]) {
    this.#visitors = visitors
  }

  /** What would be sent to people who may or may not be in the segment. */
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
   * Returns which of the people are in the webhook's segment; all of them without a segment.
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
    const visitorIds = asked.map(({ visitorId }) => visitorId)
    const limitMs = Math.ceil(Math.min(left, questionMsMax))
    return DateTime.now.pipe(
      Effect.flatMap((asOf) =>
        segmentAnswer(this.#visitors, listener, { visitorIds, asOf, limitMs }),
      ),
      Effect.timed,
      Effect.flatMap(([took, inSegment]) => {
        this.#left.set(organizationId, left - Duration.toMillis(took))
        if (inSegment !== undefined) {
          const kept: ReadonlyArray<Due> = asked.filter(({ visitorId }) => inSegment.has(visitorId))
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
  readonly visitorIds: ReadonlyArray<string>
  /** The end of the rule's windows. */
  readonly asOf: DateTime.Utc
  /** Units: milliseconds. */
  readonly limitMs: number
}

/**
 * Returns which of the people are in the webhook's segment; all of them without a segment. Returns undefined, and logs
 * why, when the segment could not be evaluated.
 *
 * *Errors*: DatabaseError only when the whole transaction has to be retried.
 */
export const segmentAnswer = (
  visitors: VisitorStore["Service"],
  listener: ListenerRow,
  { asOf, limitMs, visitorIds }: SegmentQuestion,
): Effect.Effect<ReadonlySet<string> | undefined, DatabaseError> => {
  const { organizationId, rule, webhookId } = listener
  if (rule === null) return Effect.succeed(new Set(visitorIds))
  const none = (why: unknown) =>
    Effect.as(
      Effect.logWarning(
        "could not evaluate the segment of a webhook",
        { organizationId, webhookId },
        why,
      ),
      undefined,
    )
  return visitors.inScopeWithin(segmentScope(listener, rule, asOf), visitorIds, limitMs).pipe(
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

/** False for errors that end the whole transaction, which is then retried. */
const isCausedByRule = (cause: Cause.Cause<DatabaseError>): boolean => {
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
