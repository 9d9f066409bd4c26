// Counts the rows of a file while it passes by, for the progress alone: what a row is in the end the
// server decides.

import type { ImportFormat } from "@footfall/sdk"

const LINE_FEED = 0x0a
const QUOTE = 0x22

/** Rows of which the line break has passed. In CSV one inside quotes ends no row, and the header is none. */
export class RowCounter {
  readonly #isCsv: boolean
  #lines = 0
  #isQuoted = false

  constructor(format: ImportFormat) {
    this.#isCsv = format === "csv"
  }

  get rows(): number {
    return Math.max(0, this.#lines - (this.#isCsv ? 1 : 0))
  }

  /** The next bytes, cut anywhere. */
  pass(bytes: Uint8Array): void {
    if (!this.#isCsv) {
      for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
        this.#lines += 1
      }
      return
    }
    for (const byte of bytes) {
      // A doubled quote turns the state over twice, which is right.
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted
      else if (byte === LINE_FEED && !this.#isQuoted) this.#lines += 1
    }
  }
}
