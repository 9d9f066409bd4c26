// Asks the segment of a webhook who is in it, apart from the transaction that waits for the answer: a rule
// that takes too long or that Postgres refuses gives none, and harms nothing else.
import { Cause, type DateTime, Effect, Option } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import type { ListScope } from "../../visitors/list-scope.ts"
import { type RuleAst, windowOf } from "../../visitors/query/rule.ts"
import type { VisitorStore } from "../../visitors/store.ts"
import { windowStart } from "../../visitors/timeframe.ts"
import type { ListenerRow } from "./store.ts"

/** For the segment of one webhook. Units: milliseconds. */
export const questionMsMax = 2_000

export interface SegmentQuestion {
  readonly visitorIds: ReadonlyArray<string>
  /** The moment that windows end at. */
  readonly asOf: DateTime.Utc
  /** Units: milliseconds. */
  readonly limitMs: number
}

/**
 * Those of the people who are in the segment of the webhook, all of them when it has none; undefined when
 * there is no result, which is logged.
 *
 * *Errors*: DatabaseError only when the transaction itself has to begin again.
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

/** Not what ends the whole transaction, which is then done again. */
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
