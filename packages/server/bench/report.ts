// One line of the table a benchmark run prints, and the table.

export interface Row {
  readonly name: string
  /** What the floor did, with its unit; a dash where there is none. */
  readonly floor: string
  readonly ours: string
  /** Ours by the floor's, or the measured value itself where there is no floor. */
  readonly ratio: number
  /** What two machines can compare, where the ratio is a time (quick.ts). */
  readonly relative?: number
  /** Pass bar; absent: for information. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number } | undefined
}

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
