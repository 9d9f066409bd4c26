// Which columns of a table are shown and how wide they are: as wide as their cells, and on a narrow screen the least
// important are left out and the widest cut. Pure, in whole columns.

/** A column before the screen is considered. */
export interface ColumnDemand {
  /** Width of the widest cell, title included. */
  readonly width: number
  /** Width it is never cut below; `width` or more keeps it whole. */
  readonly widthMin: number
  /** Width it is not cut below before the column is as narrow as others that can be. */
  readonly widthKept: number
  /** Whether the column is left out before others are cut, the highest number first; null: never. */
  readonly dropRank: number | null
}

/**
 * Which columns there is room for, as their positions. A column has room when every column that is
 * kept can have its `widthKept`, and otherwise those of the highest rank go.
 */
export const columnsKept = (
  demands: ReadonlyArray<ColumnDemand>,
  screen: { readonly columns: number; readonly gap: number },
): ReadonlyArray<number> => {
  let kept = demands.map((_, index) => index)
  const rankOf = (index: number): number => demands[index]?.dropRank ?? -1
  const needed = (): number =>
    kept.reduce((sum, index) => sum + (demands[index]?.widthKept ?? 0) + screen.gap, -screen.gap)
  while (needed() > screen.columns) {
    const rank = Math.max(...kept.map(rankOf))
    if (rank < 0) break
    kept = kept.filter((index) => rankOf(index) !== rank)
  }
  return kept
}

/**
 * One width a column, in their order.
 * Guarantee: no column is wider than it needs or, if it can help it, narrower than its minimum; the
 * sum is at most `available` unless every column is at its minimum. No column is cut below its
 * `widthKept` while another one is wider than its own.
 */
export const columnWidths = (
  demands: ReadonlyArray<ColumnDemand>,
  available: number,
): ReadonlyArray<number> => {
  const widths = demands.map(({ width }) => width)
  let missing = widths.reduce((sum, width) => sum + width, 0) - available
  for (const floor of ["widthKept", "widthMin"] as const) {
    const floors = demands.map((demand) => demand[floor])
    for (; missing > 0; missing--) {
      const index = widestThatMayShrink(widths, floors)
      if (index === null) break
      widths[index] = (widths[index] ?? 0) - 1
    }
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
  floors: ReadonlyArray<number>,
): number | null => {
  let widest: number | null = null
  for (const [index, width] of widths.entries()) {
    const mayShrink = width > (floors[index] ?? width)
    if (mayShrink && (widest === null || width > (widths[widest] ?? 0))) widest = index
  }
  return widest
}
