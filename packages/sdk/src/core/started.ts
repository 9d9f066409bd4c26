// Work that is being started: awaited, it is what the server accepted; with `wait`, what it came to. It is
// started once, when it is first awaited or waited for. It is a thenable, not a Promise, so an async function
// that returns it returns what was accepted.

import type { WaitOptions } from "./wait.ts"

/** The start of a run or a delivery, as a value to await. */
export class Started<Value> implements PromiseLike<Value> {
  readonly #start: () => Promise<Value>
  readonly #waitFor: (value: Value, options: WaitOptions<Value>) => Promise<Value>
  #started: Promise<Value> | undefined

  /** @internal */
  constructor(
    start: () => Promise<Value>,
    waitFor: (value: Value, options: WaitOptions<Value>) => Promise<Value>,
  ) {
    this.#start = start
    this.#waitFor = waitFor
  }

  /** Starts it; this is what `await` calls. */
  // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is what this class is for
  then<Fulfilled = Value, Rejected = never>(
    onFulfilled?: ((value: Value) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#once().then(onFulfilled, onRejected)
  }

  /**
   * What it came to: `status` tells. Errors: those of starting and of looking; AbortedError, TimeoutError.
   */
  async wait(options: WaitOptions<Value> = {}): Promise<Value> {
    return this.#waitFor(await this.#once(), options)
  }

  #once(): Promise<Value> {
    this.#started ??= this.#start()
    return this.#started
  }
}
