// A delivery that is being queued: awaited, it is the delivery as the server accepted it; with `wait`, the
// delivery when it has come to its end. It is queued once, when it is first awaited or waited for. It is a
// thenable, not a Promise, so an async function that returns it returns the delivery.

import type { Delivery, DeliveryWaitOptions } from "./delivery.ts"

/** The queuing of a delivery, as a value to await. */
export class QueuedDelivery implements PromiseLike<Delivery> {
  readonly #queue: () => Promise<Delivery>
  readonly #waitFor: (delivery: Delivery, options: DeliveryWaitOptions) => Promise<Delivery>
  #queued: Promise<Delivery> | undefined

  constructor(
    queue: () => Promise<Delivery>,
    waitFor: (delivery: Delivery, options: DeliveryWaitOptions) => Promise<Delivery>,
  ) {
    this.#queue = queue
    this.#waitFor = waitFor
  }

  /** Queues it; this is what `await` calls. */
  // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is what this class is for
  then<Fulfilled = Delivery, Rejected = never>(
    onFulfilled?: ((delivery: Delivery) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#once().then(onFulfilled, onRejected)
  }

  /**
   * The delivery when it is completed, failed or cancelled: `status` tells which.
   * Errors: those of queuing and of `deliveries.get`; AbortedError, TimeoutError.
   */
  async wait(options: DeliveryWaitOptions = {}): Promise<Delivery> {
    return this.#waitFor(await this.#once(), options)
  }

  #once(): Promise<Delivery> {
    this.#queued ??= this.#queue()
    return this.#queued
  }
}
