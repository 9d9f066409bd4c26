// One value of a row in the text format of COPY. Source: PostgreSQL documentation, COPY, Text Format.

export type CopyValue = string | number | boolean | ReadonlyArray<string> | ReadonlyArray<boolean>

/** How an absent value is written. */
export const copyNull = "\\N"

const special = /[\\\t\n\r]/
const specials = /[\\\t\n\r]/g
const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "\\": "\\\\",
    "\t": "\\t",
    "\n": "\\n",
    "\r": "\\r",
  }),
)

export const copyText = (value: CopyValue | undefined): string => {
  if (value === undefined) return copyNull
  if (typeof value === "string") return escaped(value)
  return typeof value === "object" ? escaped(`{${value.map(element).join(",")}}`) : String(value)
}

const escaped = (text: string): string =>
  special.test(text) ? text.replaceAll(specials, (character) => escapes.get(character)!) : text

const element = (value: string | boolean): string =>
  typeof value === "string" ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : String(value)

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
