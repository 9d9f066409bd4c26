// Splits text into records: cells between delimiters, quotes as in RFC 4180, any line breaks. It takes text in pieces
// of any size and holds one record at a time. Every line belongs to a record, is blank or is a comment. It rejects
// ambiguous text and names the line.

import { ReadingError } from "./column-kinds.ts"

/** Possible column delimiters. */
export type Delimiter = "," | ";" | "\t" | "|"

/** A table row, or a list line as a single cell. */
export interface TextRecord {
  /** First line of the record, counted from 1. */
  readonly line: number
  /** At least one is not blank. */
  readonly cells: ReadonlyArray<string>
}

/** Maximum record length. In characters. */
const RECORD_LENGTH_MAX = 64 * 1024

/** Without a delimiter every line is a record, and quotes have no meaning. */
export class RecordReader {
  readonly #delimiter: Delimiter | null
  readonly #name: string
  readonly #isData: boolean
  /** Text after the last line break. */
  #rest = ""
  /** Number of lines read. */
  #lines = 0
  #cells: Array<string> = []
  /** Text of a cell with an open quote; null if there is none. */
  #quoted: string | null = null
  #firstLine = 0
  #quoteLine = 0
  /** Characters in the current record. */
  #length = 0

  /** `name`: the file name, for messages. `isData`: every line is data, so none is blank, a comment or `sep=`. */
  constructor(delimiter: Delimiter | null, name: string, { isData = false } = {}) {
    this.#delimiter = delimiter
    this.#name = name
    this.#isData = isData
  }

  /** The records that end in this piece. Errors: ReadingError. */
  *read(piece: string): Generator<TextRecord, void, undefined> {
    const text = this.#rest + piece
    let begin = 0
    let lineFeed = text.indexOf("\n")
    let carriageReturn = text.indexOf("\r")
    while (lineFeed >= 0 || carriageReturn >= 0) {
      const isLineFeed = carriageReturn < 0 || (lineFeed >= 0 && lineFeed < carriageReturn)
      const end = isLineFeed ? lineFeed : carriageReturn
      // It may be the first half of a CRLF.
      if (!isLineFeed && end + 1 === text.length) break
      const lineBreak = isLineFeed ? "\n" : lineFeed === end + 1 ? "\r\n" : "\r"
      const record = this.#recordEndingWith(text.slice(begin, end), lineBreak)
      begin = end + lineBreak.length
      if (lineFeed >= 0 && lineFeed < begin) lineFeed = text.indexOf("\n", begin)
      if (carriageReturn >= 0 && carriageReturn < begin) {
        carriageReturn = text.indexOf("\r", begin)
      }
      if (record !== null) yield record
    }
    this.#rest = text.slice(begin)
    this.#checkLength(this.#lines + 1, this.#rest)
  }

  /** The last record, if the text doesn't end with a line break. Errors: ReadingError. */
  *end(): Generator<TextRecord, void, undefined> {
    yield* this.read("\n")
    if (this.#quoted !== null) throw this.#openQuote()
  }

  #recordEndingWith(line: string, lineBreak: string): TextRecord | null {
    this.#lines += 1
    this.#checkLength(this.#lines, line)
    if (this.#quoted === null) {
      if (!this.#isData && this.#isNoData(line)) return null
      this.#firstLine = this.#lines
      this.#length = 0
    }
    this.#length += line.length + lineBreak.length
    if (this.#delimiter === null) return { line: this.#lines, cells: [line] }
    this.#takeCells(line, this.#delimiter)
    if (this.#quoted !== null) {
      this.#quoted += lineBreak
      return null
    }
    const cells = this.#cells
    this.#cells = []
    return !this.#isData && cells.every(isBlank) ? null : { line: this.#firstLine, cells }
  }

  #isNoData(line: string): boolean {
    return (this.#lines === 1 && separatorIn(line) !== null) || isBlank(line) || isComment(line)
  }

  /** Adds the cells of a line to its record. */
  #takeCells(line: string, delimiter: Delimiter): void {
    let at = 0
    while (at >= 0)
      at =
        this.#quoted === null
          ? this.#plainCell(line, at, delimiter)
          : this.#restOfQuoted(line, at, at, delimiter)
  }

  /** Returns where the next cell begins; -1 after the last. */
  #plainCell(line: string, begin: number, delimiter: Delimiter): number {
    let opening = begin
    while (line[opening] === " ") opening += 1
    if (line[opening] === '"') {
      this.#quoted = ""
      this.#quoteLine = this.#lines
      return this.#restOfQuoted(line, begin, opening + 1, delimiter)
    }
    const end = line.indexOf(delimiter, begin)
    this.#cells.push(end < 0 ? line.slice(begin) : line.slice(begin, end))
    return end < 0 ? -1 : end + 1
  }

  /** Like `plainCell`, but inside quotes. `begin` is where the cell begins in this line. */
  #restOfQuoted(line: string, begin: number, from: number, delimiter: Delimiter): number {
    const close = closingQuote(line, from)
    this.#quoted += line.slice(from, close < 0 ? undefined : close).replaceAll('""', '"')
    if (close < 0) return -1
    const behind = /[^ ]|$/g
    behind.lastIndex = close + 1
    const end = behind.exec(line)?.index ?? line.length
    if (end === line.length || line[end] === delimiter) {
      this.#cells.push(this.#quoted ?? "")
      this.#quoted = null
      return end === line.length ? -1 : end + 1
    }
    // Otherwise earlier rows would become part of the cell.
    if (this.#quoteLine !== this.#lines) throw this.#openQuote()
    // The quote is part of the cell: `"5" disks`.
    this.#quoted = null
    const next = line.indexOf(delimiter, end)
    this.#cells.push(next < 0 ? line.slice(begin) : line.slice(begin, next))
    return next < 0 ? -1 : next + 1
  }

  #checkLength(lineNumber: number, line: string): void {
    const isBegun = this.#quoted !== null
    if ((isBegun ? this.#length : 0) + line.length <= RECORD_LENGTH_MAX) return
    throw new ReadingError(
      `${this.#name} line ${isBegun ? this.#firstLine : lineNumber}: the row is longer than ${RECORD_LENGTH_MAX / 1024} KiB.`,
      "Is a quote not closed, or is this not a list of rules?",
    )
  }

  #openQuote(): ReadingError {
    return new ReadingError(
      `${this.#name} line ${this.#quoteLine}: a quote is not closed.`,
      'Close the quote, or write it twice ("") if it is part of the value.',
    )
  }
}

/** The delimiter that Excel names in the first line, `sep=;`; null without such a line. */
export const separatorOf = (text: string): Delimiter | null =>
  separatorIn(text.slice(0, SEPARATOR_LINE_MAX).split(/[\r\n]/, 1)[0] ?? "")

/** In characters, with empty cells behind it. */
const SEPARATOR_LINE_MAX = 1_000

const separatorIn = (line: string): Delimiter | null => {
  if (line.length > SEPARATOR_LINE_MAX) return null
  const match = /^\uFEFF?"?sep=([,;|\t])"?[,;|\t" ]*$/i.exec(line)
  return (match?.[1] as Delimiter | undefined) ?? null
}

const isBlank = (text: string): boolean => text.trim() === ""

/** A comment line: `#` alone or before a space. An address may start with `#`. */
const isComment = (line: string): boolean => line.includes("#") && /^\s*#+(\s|$)/.test(line)

/** The first quote that isn't doubled; -1 if there is none. */
const closingQuote = (line: string, from: number): number => {
  let at = line.indexOf('"', from)
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2)
  return at
}
