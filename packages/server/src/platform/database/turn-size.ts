// How many rows to process in the next turn (organization-turns.ts): as many as last fitted into a turn's target time.
// So turns are short even on a slow disk or in a large organization, and fast work is not split needlessly. Sizes start
// small, because caches are cold. Each organization has its own size, so a slow one does not shrink the turns of
// others.

/** Target duration of a turn; the limit for the longest is 500 ms. Units: milliseconds. */
const aimedAtDefault = 200

/** How many organizations' sizes to remember; beyond this, the one that has been idle longest starts over. */
const organizationsMax = 10_000

export interface TurnBounds {
  /** Fewer rows are hardly faster. */
  readonly least: number
  readonly first: number
  readonly most: number
  /** Units: milliseconds. */
  readonly aimedAtMs?: number
}

export class TurnSize {
  readonly #bounds: TurnBounds
  #next: number

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
    this.#next = bounds.first
  }

  get next(): number {
    return this.#next
  }

  /** Records that a turn took this long for this many rows, from acquiring it to the commit. */
  took(rows: number, ms: number): void {
    const { aimedAtMs = aimedAtDefault, least, most } = this.#bounds
    const fits = (rows * aimedAtMs) / Math.max(1, ms)
    // A small turn says little about large ones, except that those take longer.
    if (rows === 0 || (rows < this.#next && fits >= rows)) return
    this.#next = Math.round(Math.min(most, 2 * this.#next, Math.max(least, fits)))
  }
}

/** The turn sizes per organization, for one kind of work in this process. */
export class TurnSizes {
  readonly #bounds: TurnBounds
  readonly #max: number
  /** In order of their last turn, latest last. */
  readonly #sizes = new Map<string, TurnSize>()

  constructor(bounds: TurnBounds, max = organizationsMax) {
    this.#bounds = bounds
    this.#max = max
  }

  of(organizationId: string): TurnSize {
    const size = this.#sizes.get(organizationId) ?? new TurnSize(this.#bounds)
    this.#sizes.delete(organizationId)
    this.#sizes.set(organizationId, size)
    if (this.#sizes.size > this.#max) {
      const [oldest] = this.#sizes.keys()
      this.#sizes.delete(oldest!)
    }
    return size
  }
}
