// A clock that never waits. It records each wait and ends it at once, or when the test decides.

import type { Clock } from "../../src/core/clock.ts"

/** Records the waits. `random` is set by the test. */
export class ManualClock implements Clock {
  readonly waitsMs: Array<number> = []
  readonly #random: number
  readonly #onWait: (signal: AbortSignal | undefined) => Promise<void>

  constructor({
    random = 0.5,
    onWait = async () => {},
  }: {
    random?: number
    onWait?: (signal: AbortSignal | undefined) => Promise<void>
  } = {}) {
    this.#random = random
    this.#onWait = onWait
  }

  readonly nowMs = (): number => Date.parse("2026-03-11T09:00:00.000Z")
  readonly random = (): number => this.#random

  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    this.waitsMs.push(delayMs)
    return this.#onWait(signal)
  }
}
