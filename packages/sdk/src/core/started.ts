// Work that is being started: `await` returns what the server accepted, `wait` the finished work. It is
// started once, when it is first awaited or waited for. It is a thenable, not a Promise, so an async function
// that returns it returns what was accepted.

import type { ApiCall, WithResponse } from "./api-call.ts"
import type { WaitOptions } from "./wait.ts"

/** A run or delivery that is being started: `await` it, or `wait()` for its end. */
export class Started<Value> implements PromiseLike<Value> {
  readonly #start: () => ApiCall<Value>
  readonly #waitFor: (value: Value, options: WaitOptions<Value>) => Promise<Value>
  #started: ApiCall<Value> | undefined

  /** @internal */
  constructor(
    start: () => ApiCall<Value>,
    waitFor: (value: Value, options: WaitOptions<Value>) => Promise<Value>,
  ) {
    this.#start = start
    this.#waitFor = waitFor
  }

  /** Starts it; `await` calls this. */
  // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is what this class is for
  then<Fulfilled = Value, Rejected = never>(
    onFulfilled?: ((value: Value) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#once().then(onFulfilled, onRejected)
  }

  /** Starts it; returns what was accepted with the status, the headers and the request id of the response. */
  withResponse(): Promise<WithResponse<Value>> {
    return this.#once().withResponse()
  }

  /**
   * Waits until it is finished: see `status`. Errors: those of starting and reading it; AbortedError, TimeoutError.
   */
  async wait(options: WaitOptions<Value> = {}): Promise<Value> {
    return this.#waitFor(await this.#once(), options)
  }

  #once(): ApiCall<Value> {
    this.#started ??= this.#start()
    return this.#started
  }
}
