// A run that is being started: awaited, it is the run as the server accepted it; with `wait`, the run when it
// has come to its end. It is started once, when it is first awaited or waited for. It is a thenable, not a
// Promise, so an async function that returns it returns the run.

import type { Run, RunWaitOptions } from "./run.ts"

/** The start of a run, as a value to await. */
export class StartedRun implements PromiseLike<Run> {
  readonly #start: () => Promise<Run>
  readonly #waitFor: (run: Run, options: RunWaitOptions) => Promise<Run>
  #started: Promise<Run> | undefined

  constructor(
    start: () => Promise<Run>,
    waitFor: (run: Run, options: RunWaitOptions) => Promise<Run>,
  ) {
    this.#start = start
    this.#waitFor = waitFor
  }

  /** Starts it; this is what `await` calls. */
  // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is what this class is for
  then<Fulfilled = Run, Rejected = never>(
    onFulfilled?: ((run: Run) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#once().then(onFulfilled, onRejected)
  }

  /**
   * The run when it is completed, failed or cancelled: `status` tells which.
   * Errors: those of starting and of `runs.get`; AbortedError, TimeoutError.
   */
  async wait(options: RunWaitOptions = {}): Promise<Run> {
    return this.#waitFor(await this.#once(), options)
  }

  #once(): Promise<Run> {
    this.#started ??= this.#start()
    return this.#started
  }
}
