// Polls until the server has finished a run or other work, at growing intervals.

import { TimeoutError } from "../errors/footfall-error.ts"
import { checkBound } from "./bound.ts"
import { Origin } from "./origin.ts"
import type { Transport } from "./transport.ts"
import type { ApiCall, WithResponse } from "./api-call.ts"

/** How to wait. */
export interface WaitOptions<Value> {
  /** Stops waiting with an AbortedError. The work itself continues. */
  readonly signal?: AbortSignal | undefined
  /**
   * Maximum wait. After that it throws a TimeoutError, while the work itself continues. 1 to 86,400,000 ms, default 30
   * minutes.
   */
  readonly waitMaxMs?: number | undefined
  /** Longest interval between two polls. 100 to 60,000 ms, default 5 s. */
  readonly lookMaxMs?: number | undefined
  /** Called with the current state after every poll. */
  readonly onLook?: ((value: Value) => void) | undefined
}

/** What to wait for. */
interface Awaited<Value> {
  /** Its name in error messages, such as "the run 70865832-…". */
  readonly what: string
  readonly poll: (signal: AbortSignal | undefined) => Promise<Value>
  readonly isFinished: (value: Value) => boolean
}

/** Wait before the second poll. Each further wait is 1.5 times as long. Units: milliseconds. */
const pollBaseMs = 250
const pollBoundMs = { min: 100, max: 60_000 }
const pollDefaultMs = 5_000
const waitBoundMs = { min: 1, max: 86_400_000 }
const waitDefaultMs = 30 * 60_000

/** Returns the finished value. Errors: those of polling; AbortedError, TimeoutError. */
export async function waitUntilFinished<Value>(
  transport: Transport,
  { isFinished, poll, what }: Awaited<Value>,
  { lookMaxMs, onLook, signal, waitMaxMs = waitDefaultMs }: WaitOptions<Value>,
): Promise<Value> {
  const longestMs = checkBound("lookMaxMs", lookMaxMs ?? pollDefaultMs, pollBoundMs)
  const deadlineMs = transport.nowMs() + checkBound("waitMaxMs", waitMaxMs, waitBoundMs)
  for (let polls = 0; ; polls += 1) {
    const value = await poll(signal)
    onLook?.(value)
    if (isFinished(value)) return value
    const leftMs = deadlineMs - transport.nowMs()
    if (leftMs <= 0) {
      throw new TimeoutError(`${what} was not finished after ${waitMaxMs} ms`, waitMaxMs)
    }
    const delayMs = Math.min(longestMs, pollBaseMs * 1.5 ** polls, leftMs)
    await transport.sleep(Math.ceil(delayMs), what, signal)
  }
}

// A run or delivery that is started by a call. `await` returns what the server accepted, and `wait` returns it when it
// is finished. It starts once, on the first `await` or `wait`. It is a thenable, not a Promise, so an async function
// that returns it returns what was accepted.

/** A run or delivery to start: `await` it to start it, or `wait()` until it is finished. */
export class Started<Value> implements PromiseLike<Value> {
  readonly #origin = new Origin(Started)
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

  /** Starts it and handles an error. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Value | Rejected> {
    return this.then(undefined, onRejected)
  }

  /** Starts it and calls the function when the server has accepted or refused it. */
  finally(onFinally?: (() => void) | null): Promise<Value> {
    return this.then().finally(onFinally)
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
    this.#started ??= this.#start().from(this.#origin)
    return this.#started
  }
}
