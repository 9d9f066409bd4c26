// How many rows go into the next turn (organization-turns.ts): as many as last fitted into the
// time that a turn should take. So a turn is short on a slow disk and in a large organization too, and quick work is
// not split needlessly. It starts small, because caches are cold then. Work for one organization has a size of its own
// for each of them, so that a slow one makes no one else's turns smaller.

/** How long a turn should last. The bar, 500 ms, is for the longest. Our choice. Units: milliseconds. */
const aimedAtDefault = 200

/** Organizations whose sizes are remembered; of more, the one that had no turn for the longest time starts again. */
const organizationsMax = 10_000

export interface TurnBounds {
  /** Fewer rows are hardly any quicker. */
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

  /** A turn of so many rows took so long, from having it to the commit. */
  took(rows: number, ms: number): void {
    const { aimedAtMs = aimedAtDefault, least, most } = this.#bounds
    const fits = (rows * aimedAtMs) / Math.max(1, ms)
    // A small turn tells nothing of large ones, but that larger ones take longer.
    if (rows === 0 || (rows < this.#next && fits >= rows)) return
    this.#next = Math.round(Math.min(most, 2 * this.#next, Math.max(least, fits)))
  }
}

/** The sizes of one kind of work, in a process, of each organization. */
export class TurnSizes {
  readonly #bounds: TurnBounds
  readonly #max: number
  /** The one that had a turn last is the last. */
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
