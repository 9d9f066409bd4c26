// A run or delivery that is started by a call. `await` returns what the server accepted, and `wait` returns it when it
// is finished. It starts once, on the first `await` or `wait`. It is a thenable, not a Promise, so an async function
// that returns it returns what was accepted.

import type { ApiCall, WithResponse } from "./api-call.ts"
import type { WaitOptions } from "./wait.ts"

/** A run or delivery to start: `await` it to start it, or `wait()` until it is finished. */
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

  /** Starts it and returns what the server accepted, with the status, headers and request id of the response. */
  withResponse(): Promise<WithResponse<Value>> {
    return this.#once().withResponse()
  }

  /**
   * Waits until it is finished; check `status`. Errors: those of starting and reading it; AbortedError, TimeoutError.
   */
  async wait(options: WaitOptions<Value> = {}): Promise<Value> {
    return this.#waitFor(await this.#once(), options)
  }

  #once(): ApiCall<Value> {
    this.#started ??= this.#start()
    return this.#started
  }
}
