// How much of the queue one webhook may have in this process: few requests at the same time, and ahead of
// them a stock of deliveries when its receiver answers quickly. Remembers the webhooks that were sent to
// lately, and no more than a bounded number of them.
import { Effect, Semaphore } from "effect"
import { quickMsMax, requestsPerWebhookMax } from "./queue.ts"

/** Webhooks remembered; those that were sent to longest ago are forgotten first. */
const rememberedMax = 1_000
/** Weight of the latest answer in the mean. */
const latestShare = 0.3

interface Receiver {
  readonly turns: Semaphore.Semaphore
  /** Mean time of the latest answers; undefined before the first. Units: milliseconds. */
  meanMs: number | undefined
}

export class Pace {
  readonly #receivers = new Map<string, Receiver>()

  /** Runs the request when the webhook has one free. */
  inTurn<A, E, R>(webhookId: string, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => this.#of(webhookId).turns.withPermits(1)(request))
  }

  /** `ms`: from the request to its end, however it ended. */
  took(webhookId: string, ms: number): void {
    const receiver = this.#of(webhookId)
    const mean = receiver.meanMs ?? ms
    receiver.meanMs = mean + (ms - mean) * latestShare
  }

  get quickWebhookIds(): ReadonlyArray<string> {
    return [...this.#receivers].flatMap(([id, { meanMs }]) =>
      meanMs !== undefined && meanMs <= quickMsMax ? [id] : [],
    )
  }

  #of(webhookId: string): Receiver {
    const known = this.#receivers.get(webhookId) ?? {
      turns: Semaphore.makeUnsafe(requestsPerWebhookMax),
      meanMs: undefined,
    }
    // The map keeps the order of insertion.
    this.#receivers.delete(webhookId)
    this.#receivers.set(webhookId, known)
    const [oldest] = this.#receivers.keys()
    if (this.#receivers.size > rememberedMax && oldest !== undefined) {
      this.#receivers.delete(oldest)
    }
    return known
  }
}
