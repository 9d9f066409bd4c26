// Evaluates a webhook's segment outside the calling transaction's fate: a rule that times out or that Postgres rejects
// yields no result and breaks nothing else.
import { Cause, type DateTime, Effect, Option } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import type { ListScope } from "../../visitors/list-scope.ts"
import { type RuleAst, windowOf } from "../../visitors/query/rule.ts"
import type { VisitorStore } from "../../visitors/store.ts"
import { windowStart } from "../../visitors/timeframe.ts"
import type { ListenerRow } from "./store.ts"

/** Time limit for one webhook's segment. Units: milliseconds. */
export const questionMsMax = 2_000

export interface SegmentQuestion {
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
      Effect.logWarning("segment of a webhook not asked", { organizationId, webhookId }, why),
      undefined,
    )
  return visitors.inScopeWithin(scopeOf(listener, rule, asOf), visitorIds, limitMs).pipe(
    Effect.catchTag("StatementTimedOut", () => none(`no answer within ${limitMs} ms`)),
    Effect.catchCause((cause) => (isOfTheRule(cause) ? none(cause) : Effect.failCause(cause))),
  )
}

const scopeOf = (
  { organizationId, pixelId }: ListenerRow,
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
    from: windowStart(timeframe, asOf),
    suppressed: "exclude",
    rule: rule.rule,
  }
}

/** Excludes errors that end the whole transaction, which is then retried. */
const isOfTheRule = (cause: Cause.Cause<DatabaseError>): boolean => {
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
