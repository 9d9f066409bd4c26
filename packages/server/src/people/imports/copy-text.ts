// Encodes values in COPY's text format. Source: PostgreSQL documentation, COPY, Text Format.

export type CopyValue = string | number | boolean | ReadonlyArray<string> | ReadonlyArray<boolean>

/** How a missing value is written. */
export const copyNull = "\\N"

const tab = 0x09
const newline = 0x0a
const carriageReturn = 0x0d
const backslash = 0x5c
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
  isPlain(text) ? text : text.replaceAll(specials, (character) => escapes.get(character)!)

/**
 * Nearly all texts are short and contain no special character. This check is much faster than a regular expression.
 */
const isPlain = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash || code === tab || code === newline || code === carriageReturn) {
      return false
    }
  }
  return true
}

const element = (value: string | boolean): string =>
  typeof value === "string" ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : String(value)

// Rows per chunk, to avoid both one write per row and buffering everything.

const rowsPerPiece = 200

/** `line` formats a row, given its index, without a newline. */
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
