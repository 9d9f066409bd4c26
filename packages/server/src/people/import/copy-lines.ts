// Rows as COPY takes them, a few in one piece: neither a write for each row nor one text for all.
const rowsPerPiece = 200

/** `line`: of a row and its place in the list, without its end. */
export function* copyLines<Row>(
  rows: ReadonlyArray<Row>,
  line: (row: Row, position: number) => string,
): Iterable<string> {
  for (let from = 0; from < rows.length; from += rowsPerPiece) {
    const lines = rows
      .slice(from, from + rowsPerPiece)
      .map((row, index) => `${line(row, from + index)}\n`)
    yield lines.join("")
  }
}
