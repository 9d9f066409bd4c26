// How many rows go into the next turn (organization-turns.ts): as many as last fitted into the
// time that a turn should take. So a turn is short on a slow disk and in a large organization too, and quick work is
// not split needlessly. One for each process and kind of work. It starts small, because caches are cold then.

/** How long a turn should last. The bar, 500 ms, is for the longest. Our choice. Units: milliseconds. */
const aimedAtMs = 200

export class TurnSize {
  readonly #bounds: { readonly least: number; readonly most: number }
  #next: number

  /** `least`: fewer rows are hardly any quicker. */
  constructor(bounds: { readonly least: number; readonly first: number; readonly most: number }) {
    this.#bounds = bounds
    this.#next = bounds.first
  }

  get next(): number {
    return this.#next
  }

  /** A turn of so many rows took so long, from having it to the commit. */
  took(rows: number, ms: number): void {
    const { least, most } = this.#bounds
    const fits = (rows * aimedAtMs) / Math.max(1, ms)
    // A small turn tells nothing of large ones, but that larger ones take longer.
    if (rows === 0 || (rows < this.#next && fits >= rows)) return
    this.#next = Math.round(Math.min(most, 2 * this.#next, Math.max(least, fits)))
  }
}
