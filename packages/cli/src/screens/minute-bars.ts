// Counts of minutes as upright bars of Braille dots: a character a minute, four dots a row. Pure.

import { BrailleCanvas, DOTS_HIGH, DOTS_WIDE } from "./braille.ts"
import { countText } from "./figures.ts"

/** A row: its label apart, because it is drawn in another colour. */
export interface MinuteBarRow {
  readonly label: string
  readonly bars: string
}

/** The newest minutes that fit, from the top row. Any visitor at all is at least one dot. */
export const minuteBars = (
  counts: ReadonlyArray<number>,
  size: { readonly columns: number; readonly rows: number },
): ReadonlyArray<MinuteBarRow> => {
  const most = Math.max(1, ...counts)
  const labelWidth = countText(most).length
  const columns = Math.max(1, Math.min(counts.length, size.columns - labelWidth - 2))
  const shown = counts.slice(-columns)
  const canvas = new BrailleCanvas({ columns, rows: size.rows })
  const dotsHigh = size.rows * DOTS_HIGH
  for (const [index, count] of shown.entries()) {
    const height = Math.ceil((count / most) * dotsHigh)
    if (height === 0) continue
    const x = index * DOTS_WIDE
    canvas.line({ x, y: dotsHigh - 1 }, { x, y: dotsHigh - height })
  }
  return canvas.rows().map((bars, row) => {
    const label = row === 0 ? countText(most) : row === size.rows - 1 ? "0" : ""
    return { label: `${label.padStart(labelWidth)} ${label === "" ? "│" : "┤"}`, bars }
  })
}
