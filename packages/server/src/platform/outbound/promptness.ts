// Whether a receiver responds promptly, by what this process has seen. Those that have not shown it share a part of the
// places of a process, so that they never take all of them (spec 10.4).

/** A response within this time on average is prompt. Units: milliseconds. */
const promptMsMax = 1_000

/** Weight of the latest response in the moving average. */
const latestShare = 0.3

/** The places that slow receivers may have together. */
export const placesOfSlow = (places: number): number => Math.ceil((places * 3) / 4)

export class Promptness {
  /** Requests in progress, oldest first. Epoch milliseconds. */
  readonly #begun = new Set<{ readonly at: number }>()
  #meanMs: number | undefined

  /** A request begins. Returns what records its end, however it ends. */
  begin(at: number): (now: number) => void {
    const begun = { at }
    this.#begun.add(begun)
    return (now) => {
      if (!this.#begun.delete(begun)) return
      const ms = now - at
      const mean = this.#meanMs ?? ms
      this.#meanMs = mean + (ms - mean) * latestShare
    }
  }

  /** Moving average of response times; undefined before the first. Units: milliseconds. */
  get meanMs(): number | undefined {
    return this.#meanMs
  }

  /** Whether it has not responded yet, or takes longer than a second, on average or right now. */
  isSlow(now: number): boolean {
    const [oldest] = this.#begun
    const isLate = oldest !== undefined && now - oldest.at > promptMsMax
    return this.#meanMs === undefined || this.#meanMs > promptMsMax || isLate
  }

  /** Requests in progress were interrupted. */
  interrupt(): void {
    this.#begun.clear()
  }
}
