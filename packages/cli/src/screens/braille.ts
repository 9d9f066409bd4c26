// Drawing with the dots of Braille characters: each is two dots wide and four high, so that a line on a
// terminal has eight times the resolution of its characters. Pure.

/** Dots of one character. */
export const DOTS_WIDE = 2
export const DOTS_HIGH = 4

/** The bit of each dot, by row and column (Unicode, Braille Patterns). */
const BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const

/** The character without a dot; the bits of the others are added to it. */
const BLANK = 0x2800

/** A place in dots: from the left, and from the top. */
export interface Dot {
  readonly x: number
  readonly y: number
}

/** A picture of so many characters. What lies outside of it is not drawn. */
export class BrailleCanvas {
  readonly #columns: number
  readonly #cells: Array<Uint8Array>

  constructor({ columns, rows }: { readonly columns: number; readonly rows: number }) {
    this.#columns = columns
    this.#cells = Array.from({ length: rows }, () => new Uint8Array(columns))
  }

  /** A straight line, both ends included. */
  line(from: Dot, to: Dot): void {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1)
    for (let step = 0; step <= steps; step++) {
      const part = step / steps
      this.dot({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
    }
  }

  /** One dot, at the nearest whole place. */
  dot({ x, y }: Dot): void {
    const [column, row] = [Math.round(x), Math.round(y)]
    const cells = this.#cells[Math.floor(row / DOTS_HIGH)]
    const at = Math.floor(column / DOTS_WIDE)
    if (cells === undefined || column < 0 || at >= this.#columns) return
    cells[at] = (cells[at] ?? 0) | (BITS[row % DOTS_HIGH]?.[column % DOTS_WIDE] ?? 0)
  }

  /** One text a row, from the top; a character without a dot is a blank. */
  rows(): ReadonlyArray<string> {
    return this.#cells.map((cells) =>
      Array.from(cells, (bits) => (bits === 0 ? " " : String.fromCodePoint(BLANK + bits))).join(""),
    )
  }
}
