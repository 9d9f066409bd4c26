// Limits one webhook's share of the queue in this process: a few concurrent requests, plus a small stock of deliveries
// when its receiver is fast. Each process counts on its own, so a killed process blocks nothing. Remembers recently
// used webhooks.
import { Effect, Semaphore } from "effect"
import { Promptness } from "../../../platform/outbound/promptness.ts"
import { quickMsMax, requestsPerWebhookMax } from "./queue.ts"
import type { InHand } from "./store.ts"

/** Webhooks to remember. Idle ones are forgotten first, oldest first. */
const rememberedMax = 1_000

interface Receiver {
  readonly organizationId: string
  readonly turns: Semaphore.Semaphore
  /** Deliveries taken and not yet finished. */
  count: number
  /** Until when the receiver asked to pause, in epoch milliseconds; 0 without a request. */
  restsUntil: number
  readonly promptness: Promptness
}

type OfWebhook = Pick<InHand, "organizationId" | "webhookId">

export class Pace {
  readonly #receivers = new Map<string, Receiver>()

  /** Runs the request when one of the webhook's slots is free. */
  inTurn<A, E, R>(webhook: OfWebhook, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => this.#of(webhook).turns.withPermits(1)(request))
  }

  /** A request begins. Returns what records its end. */
  began(webhook: OfWebhook, at: number): (now: number) => void {
    return this.#of(webhook).promptness.begin(at)
  }

  /** The receiver asked for a pause: hold back every delivery of the webhook until then. */ // spec 14.3
  rest(webhook: OfWebhook, until: number): void {
    const receiver = this.#of(webhook)
    receiver.restsUntil = Math.max(receiver.restsUntil, until)
  }

  /** How much longer the webhook pauses; 0 when it may be sent to. */
  restMs(webhook: OfWebhook, now: number): number {
    return Math.max(0, this.#of(webhook).restsUntil - now)
  }

  taken(webhook: OfWebhook): void {
    this.#of(webhook).count += 1
  }

  done(webhook: OfWebhook): void {
    this.#of(webhook).count -= 1
  }

  /** The deliveries held for each remembered webhook. */
  inHand(now: number): ReadonlyArray<InHand> {
    return [...this.#receivers].map(([webhookId, { count, organizationId, promptness }]) => ({
      organizationId,
      webhookId,
      count,
      isQuick: promptness.meanMs !== undefined && promptness.meanMs <= quickMsMax,
      isSlow: promptness.isSlow(now),
    }))
  }

  #of({ organizationId, webhookId }: OfWebhook): Receiver {
    const known = this.#receivers.get(webhookId) ?? {
      organizationId,
      turns: Semaphore.makeUnsafe(requestsPerWebhookMax),
      count: 0,
      restsUntil: 0,
      promptness: new Promptness(),
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
