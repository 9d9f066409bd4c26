// How wide the columns of a table are: as wide as their cells, and where the screen is too narrow
// for that, the widest give way first. Pure and in whole columns.

/** A column before the screen is considered. */
export interface ColumnDemand {
  /** Width of the widest cell, title included. */
  readonly width: number
  /** Width it is never cut below; `width` or more keeps it whole. */
  readonly widthMin: number
}

/**
 * One width a column, in their order.
 * Guarantee: no column is wider than it needs or, if it can help it, narrower than its minimum; the
 * sum is at most `available` unless every column is at its minimum.
 */
export const columnWidths = (
  demands: ReadonlyArray<ColumnDemand>,
  available: number,
): ReadonlyArray<number> => {
  const widths = demands.map(({ width }) => width)
  let missing = widths.reduce((sum, width) => sum + width, 0) - available
  for (; missing > 0; missing--) {
    const index = widestThatMayShrink(widths, demands)
    if (index === null) break
    widths[index] = (widths[index] ?? 0) - 1
  }
  return widths
}

/**
 * Columns a text takes on a terminal: East Asian characters and emoji take two. Only the division of
 * the screen rests on it; Ink measures exactly when it cuts a cell to its column.
 */
export const textWidth = (text: string): number => {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Script=Han}|\p{Emoji_Presentation}/u

const widestThatMayShrink = (
  widths: ReadonlyArray<number>,
  demands: ReadonlyArray<ColumnDemand>,
): number | null => {
  let widest: number | null = null
  for (const [index, width] of widths.entries()) {
    const mayShrink = width > (demands[index]?.widthMin ?? width)
    if (mayShrink && (widest === null || width > (widths[widest] ?? 0))) widest = index
  }
  return widest
}
