// Ends an attempt early: on its time limit, the caller's signal, or a failed upload. Works like an
// AbortSignal, but cheaper: creating and observing a signal is a tenth of a call's cost, so one is
// created only for a sender that needs it.

/** Whether an attempt has ended early, and why. */
export class Ending {
  readonly #listeners: Array<(reason: Error) => void> = []
  #reason: Error | undefined

  /** Undefined unless the attempt ended early. */
  get reason(): Error | undefined {
    return this.#reason
  }

  /** Only the first reason counts. */
  end(reason: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    for (const listener of this.#listeners) listener(reason)
  }

  /** Calls the listener when the attempt ends early, or immediately if it already has. */
  onEnd(listener: (reason: Error) => void): void {
    if (this.#reason === undefined) this.#listeners.push(listener)
    else listener(this.#reason)
  }

  throwIfEnded(): void {
    if (this.#reason !== undefined) throw this.#reason
  }

  /** Creates a signal that aborts when the attempt ends early. */
  signal(): AbortSignal {
    const controller = new AbortController()
    this.onEnd((reason) => controller.abort(reason))
    return controller.signal
  }
}
