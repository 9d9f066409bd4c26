// Which columns of a table to show and how wide they are: as wide as their cells. On a narrow screen, the least
// important columns are left out and the widest are cut. Pure, in whole columns.

/** A column's demand, before the screen's width is known. */
export interface ColumnDemand {
  /** Width of the widest cell, including the title. */
  readonly width: number
  /** It is never cut below this width; `width` or more keeps it whole. */
  readonly widthMin: number
  /** Every column is cut to its `widthKept` before any is cut further. */
  readonly widthKept: number
  /** Whether to leave out the column before cutting others, highest number first; null: never. */
  readonly dropRank: number | null
}

/**
 * The indexes of the columns to show. If the columns can't all have their `widthKept`, those with the highest rank are
 * left out, and if the rest can't have their `widthMin`, the last ones. One column always stays.
 */
export const columnsKept = (
  demands: ReadonlyArray<ColumnDemand>,
  screen: { readonly columns: number; readonly gap: number },
): ReadonlyArray<number> => {
  let kept = demands.map((_, index) => index)
  const rankOf = (index: number): number => demands[index]?.dropRank ?? -1
  const needed = (floor: "widthKept" | "widthMin"): number =>
    kept.reduce((sum, index) => sum + (demands[index]?.[floor] ?? 0) + screen.gap, -screen.gap)
  while (needed("widthKept") > screen.columns) {
    const rank = Math.max(...kept.map(rankOf))
    if (rank < 0) break
    kept = kept.filter((index) => rankOf(index) !== rank)
  }
  while (kept.length > 1 && needed("widthMin") > screen.columns) kept = kept.slice(0, -1)
  return kept
}

/**
 * One width per column, in order. Guarantee: no column is wider than its content or, if possible, narrower than its
 * minimum; the sum is at most `available` unless every column is at its minimum. No column is cut below its `widthKept`
 * while another one is wider than its own.
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
 * Columns that a text takes on a terminal: East Asian characters and emoji take two. Only used to divide the screen;
 * Ink measures exactly when it cuts a cell to its column.
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
