// How much of the queue one webhook may have in this process: few requests at the same time, and ahead of
// them a stock of deliveries when its receiver answers quickly. Each process counts for itself, so that
// what a killed one left behind blocks nothing. Remembers the webhooks that were sent to lately.
import { Effect, Semaphore } from "effect"
import { quickMsMax, requestsPerWebhookMax } from "./queue.ts"
import type { InHand } from "./store.ts"

/** Webhooks remembered; of those without work the ones of longest ago are forgotten first. */
const rememberedMax = 1_000
/** Weight of the latest answer in the mean. */
const latestShare = 0.3

interface Receiver {
  readonly organizationId: string
  readonly turns: Semaphore.Semaphore
  /** Deliveries taken and not done. */
  count: number
  /** As its receiver asked; epoch milliseconds, 0: it did not. */
  restsUntil: number
  /** Mean time of the latest answers; undefined before the first. Units: milliseconds. */
  meanMs: number | undefined
}

type OfWebhook = Pick<InHand, "organizationId" | "webhookId">

export class Pace {
  readonly #receivers = new Map<string, Receiver>()

  /** Runs the request when the webhook has one free. */
  inTurn<A, E, R>(webhook: OfWebhook, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => this.#of(webhook).turns.withPermits(1)(request))
  }

  /** `ms`: from the request to its end, however it ended. */
  took(webhook: OfWebhook, ms: number): void {
    const receiver = this.#of(webhook)
    const mean = receiver.meanMs ?? ms
    receiver.meanMs = mean + (ms - mean) * latestShare
  }

  /** The receiver asked to be left alone for a while: nothing that is in hand of the webhook is sent until then. */ // spec 14.3
  rest(webhook: OfWebhook, until: number): void {
    const receiver = this.#of(webhook)
    receiver.restsUntil = Math.max(receiver.restsUntil, until)
  }

  /** How long the webhook is still to be left alone; 0: it may be sent to. */
  restMs(webhook: OfWebhook, now: number): number {
    return Math.max(0, this.#of(webhook).restsUntil - now)
  }

  taken(webhook: OfWebhook): void {
    this.#of(webhook).count += 1
  }

  done(webhook: OfWebhook): void {
    this.#of(webhook).count -= 1
  }

  /** Of the webhooks remembered. */
  inHand(): ReadonlyArray<InHand> {
    return [...this.#receivers].map(([webhookId, { count, meanMs, organizationId }]) => ({
      organizationId,
      webhookId,
      count,
      isQuick: meanMs !== undefined && meanMs <= quickMsMax,
    }))
  }

  #of({ organizationId, webhookId }: OfWebhook): Receiver {
    const known = this.#receivers.get(webhookId) ?? {
      organizationId,
      turns: Semaphore.makeUnsafe(requestsPerWebhookMax),
      count: 0,
      restsUntil: 0,
      meanMs: undefined,
    }
    // The map keeps the order of insertion.
    this.#receivers.delete(webhookId)
    this.#receivers.set(webhookId, known)
    const [oldest] = this.#receivers
    if (this.#receivers.size > rememberedMax && oldest?.[1].count === 0) {
      this.#receivers.delete(oldest[0])
    }
    return known
  }
}
