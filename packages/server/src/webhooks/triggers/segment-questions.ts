// Asks the segments of webhooks who is in them, in the transaction in which something happens to people. An
// organization has so much time in a pull, however many webhooks it has and however large the batch is; who
// could not be asked about in it is asked about again later (questions/); and for a minute after a segment was
// it failed it is not evaluated here, so that one rule costs everyone else two seconds a minute at most.
import { DateTime, Duration, Effect } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import type { VisitorStore } from "../../visitors/store.ts"
import type { Telling } from "./occasion.ts"
import { questionMsMax, segmentAnswer } from "./segment-answer.ts"
import type { ListenerRow } from "./store.ts"

/** For the segments of one organization together. Units: milliseconds. */
const organizationMsMax = 5_000

/** Those of one pull, in one transaction. */
export class SegmentQuestions {
  readonly #visitors: VisitorStore["Service"]
  /** Time that is left to organizations. Units: milliseconds. */
  readonly #left = new Map<string, number>()
  readonly #unanswered: Array<Telling> = []
  readonly #inVain = new Map<string, ListenerRow>()

  constructor(visitors: VisitorStore["Service"]) {
    this.#visitors = visitors
  }

  /** What to send if the segment contains them, which could not be determined. */
  get unanswered(): ReadonlyArray<Telling> {
    return this.#unanswered
  }

  /** The webhooks whose segments gave no answer. */
  get askedInVain(): ReadonlyArray<Pick<ListenerRow, "organizationId" | "webhookId">> {
    return [...this.#inVain.values()].map(({ organizationId, webhookId }) => ({
      organizationId,
      webhookId,
    }))
  }

  /**
   * Those of the people who are in the segment of the webhook; all of them when it has none.
   *
   * *Errors*: DatabaseError only when the transaction itself has to begin again.
   */
  among(
    listener: ListenerRow,
    tellings: ReadonlyArray<Telling>,
  ): Effect.Effect<ReadonlyArray<Telling>, DatabaseError> {
    const { organizationId, rule, webhookId } = listener
    if (rule === null) return Effect.succeed(tellings)
    const left = this.#left.get(organizationId) ?? organizationMsMax
    if (left < 1 || listener.wasInVain || this.#inVain.has(webhookId)) return this.#later(tellings)
    const visitorIds = tellings.map(({ visitorId }) => visitorId)
    const limitMs = Math.ceil(Math.min(left, questionMsMax))
    return DateTime.now.pipe(
      Effect.flatMap((asOf) =>
        segmentAnswer(this.#visitors, listener, { visitorIds, asOf, limitMs }),
      ),
      Effect.timed,
      Effect.flatMap(([took, inSegment]) => {
        this.#left.set(organizationId, left - Duration.toMillis(took))
        if (inSegment !== undefined) {
          return Effect.succeed(tellings.filter(({ visitorId }) => inSegment.has(visitorId)))
        }
        this.#inVain.set(webhookId, listener)
        return this.#later(tellings)
      }),
    )
  }

  #later(tellings: ReadonlyArray<Telling>): Effect.Effect<ReadonlyArray<Telling>> {
    return Effect.sync(() => {
      this.#unanswered.push(...tellings)
      return []
    })
  }
}
