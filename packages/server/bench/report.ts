// A row of a benchmark's result table, and the table.

export interface Row {
  readonly name: string
  /** The floor's result with its unit; a dash if there is none. */
  readonly floor: string
  readonly ours: string
  /** Ours divided by the floor's, or the measured value itself if there is no floor. */
  readonly ratio: number
  /** A value to compare between machines if the ratio is a time (quick.ts). */
  readonly relative?: number
  /** Pass bar; for information only if absent. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number } | undefined
}

/** One row alone, as soon as it is measured. */
export const lineOf = (row: Row): string =>
  [row.name, row.floor, row.ours, row.ratio.toFixed(2), verdict(row)].join("  ").trimEnd()

export const print = (rows: ReadonlyArray<Row>): void => {
  const cells = rows.map((row) => [
    row.name,
    row.floor,
    row.ours,
    row.ratio.toFixed(2),
    verdict(row),
  ])
  const head = ["benchmark", "floor", "ours", "ratio", "bar"]
  const widths = head.map((title, i) =>
    Math.max(title.length, ...cells.map((cell) => cell[i]!.length)),
  )
  const line = (cell: ReadonlyArray<string>) =>
    console.log(cell.map((text, i) => text.padEnd(widths[i]!)).join("  "))
  line(head)
  line(widths.map((width) => "-".repeat(width)))
  for (const cell of cells) line(cell)
}

const verdict = ({ bar, ratio }: Row): string => {
  if (bar === undefined) return ""
  const [text, isMet] =
    "atLeast" in bar
      ? [`>= ${bar.atLeast}`, ratio >= bar.atLeast]
      : [`<= ${bar.atMost}`, ratio <= bar.atMost]
  return `${text}  ${isMet ? "met" : "BELOW"}`
}
