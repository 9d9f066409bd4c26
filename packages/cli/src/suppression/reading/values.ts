// Values as a file writes them, and as they are.

/** A line of a list, without the quotes that may be around the whole of it. */
export const listValue = (line: string): string =>
  line.trim().replace(/^"(.*)"$/, (_whole, inner: string) => inner.replaceAll('""', '"'))

/** What begins like a formula, with any number of apostrophes before it. */
const formula = /^'*[=+\-@\t\r]/

/**
 * A value as a cell that no spreadsheet takes for a formula. An apostrophe that is a part of the value
 * gets another one, so that `undefused` gives every value back as it was.
 */
export const defused = (value: string): string => (formula.test(value) ? `'${value}` : value)

/** The value of a cell that was defused. */
export const undefused = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
