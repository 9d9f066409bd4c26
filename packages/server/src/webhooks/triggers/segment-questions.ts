// Asks the segments of webhooks who is in them, apart from the transaction that waits for the answer: a
// rule that takes too long or that Postgres refuses matches nobody this time, and holds up nobody else.
// Nothing is remembered of that, so its webhook is asked again at the next occasion of the person; until
// then the failure stands in the log and on the webhook. An organization has so much time in a pull,
// however many webhooks it has and however large the batch is.
import { Cause, DateTime, Duration, Effect, Option } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import type { ListScope } from "../../visitors/list-scope.ts"
import { type RuleAst, windowOf } from "../../visitors/query/rule.ts"
import type { VisitorStore } from "../../visitors/store.ts"
import { windowStart } from "../../visitors/timeframe.ts"
import type { Listener, Telling } from "./occasion.ts"
import type { ListenerRow } from "./store.ts"

/** For the segment of one webhook. Units: milliseconds. */
export const questionMsMax = 2_000
/** For those of one organization together. Units: milliseconds. */
const organizationMsMax = 5_000

type OneWebhook = Pick<Listener, "organizationId" | "webhookId">

/** Those of one pull, in one transaction. */
export class SegmentQuestions {
  readonly #visitors: VisitorStore["Service"]
  /** Time that is left to organizations. Units: milliseconds. */
  readonly #left = new Map<string, number>()
  readonly #unanswered = new Map<string, OneWebhook>()

  constructor(visitors: VisitorStore["Service"]) {
    this.#visitors = visitors
  }

  /** The webhooks whose segments could not be asked about somebody. */
  get unanswered(): ReadonlyArray<OneWebhook> {
    return [...this.#unanswered.values()]
  }

  /**
   * Those of the people who are in the segment of the webhook; all of them when it has none.
   *
   * *Errors*: DatabaseError only when the transaction itself has to begin anew.
   */
  among(
    listener: ListenerRow,
    tellings: ReadonlyArray<Telling>,
  ): Effect.Effect<ReadonlyArray<Telling>, DatabaseError> {
    const { organizationId, rule, webhookId } = listener
    if (rule === null) return Effect.succeed(tellings)
    const left = this.#left.get(organizationId) ?? organizationMsMax
    if (left < 1 || this.#unanswered.has(webhookId)) return this.#nobody(listener, "no time left")
    const visitorIds = tellings.map(({ visitorId }) => visitorId)
    const limitMs = Math.ceil(Math.min(left, questionMsMax))
    return DateTime.now.pipe(
      Effect.flatMap((asOf) =>
        this.#visitors.inScopeWithin(scopeOf(listener, rule, asOf), visitorIds, limitMs),
      ),
      Effect.map((found) => tellings.filter(({ visitorId }) => found.has(visitorId))),
      Effect.catchTag("StatementTimedOut", () =>
        this.#nobody(listener, `no answer within ${limitMs} ms`),
      ),
      Effect.catchCause((cause) =>
        isOfTheRule(cause) ? this.#nobody(listener, cause) : Effect.failCause(cause),
      ),
      Effect.timed,
      Effect.map(([took, inSegment]) => {
        this.#left.set(organizationId, left - Duration.toMillis(took))
        return inSegment
      }),
    )
  }

  #nobody(
    { organizationId, webhookId }: OneWebhook,
    why: unknown,
  ): Effect.Effect<ReadonlyArray<Telling>> {
    this.#unanswered.set(webhookId, { organizationId, webhookId })
    return Effect.as(
      Effect.logWarning("segment of a webhook not asked", { organizationId, webhookId }, why),
      [],
    )
  }
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
