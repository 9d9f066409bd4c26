// Splits text into records: cells between delimiters, quotes as in RFC 4180, line breaks of any kind. Takes text in
// pieces of any size and keeps one record at a time. Every line belongs to a record, is blank or is a comment; text
// that is ambiguous is refused with its line.

import { ReadingError } from "./looks.ts"

/** What may stand between columns. */
export type Delimiter = "," | ";" | "\t" | "|"

/** A row of a table, or a line of a list as its only cell. */
export interface TextRecord {
  /** Where it begins, from 1. */
  readonly line: number
  /** At least one is not blank. */
  readonly cells: ReadonlyArray<string>
}

/** Longest record. Units: characters. */
const RECORD_LENGTH_MAX = 64 * 1024

/** Without a delimiter every line is a record, and quotes mean nothing. */
export class RecordReader {
  readonly #delimiter: Delimiter | null
  readonly #name: string
  /** Text behind the last line break. */
  #rest = ""
  /** Lines that were read. */
  #lines = 0
  #cells: Array<string> = []
  /** Text of a cell whose quote is open; null when none is. */
  #quoted: string | null = null
  #firstLine = 0
  #quoteLine = 0
  /** Characters of the record so far. */
  #length = 0

  /** `name`: the file, for messages. */
  constructor(delimiter: Delimiter | null, name: string) {
    this.#delimiter = delimiter
    this.#name = name
  }

  /** The records that end in this piece. Errors: ReadingError. */
  *read(piece: string): Generator<TextRecord, void, undefined> {
    const text = this.#rest + piece
    let begin = 0
    for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r/g)) {
      // It may be the first half of a CRLF.
      if (lineBreak === "\r" && index + 1 === text.length) break
      const record = this.#recordEndingWith(text.slice(begin, index), lineBreak)
      begin = index + lineBreak.length
      if (record !== null) yield record
    }
    this.#rest = text.slice(begin)
    this.#checkLength(this.#lines + 1, this.#rest)
  }

  /** The last record, if the text does not end with a line break. Errors: ReadingError. */
  *end(): Generator<TextRecord, void, undefined> {
    yield* this.read("\n")
    if (this.#quoted !== null) throw this.#openQuote()
  }

  #recordEndingWith(line: string, lineBreak: string): TextRecord | null {
    this.#lines += 1
    this.#checkLength(this.#lines, line)
    if (this.#quoted === null) {
      if (line.trim() === "" || isComment(line)) return null
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
    return cells.every((cell) => cell.trim() === "") ? null : { line: this.#firstLine, cells }
  }

  /** Adds the cells of a line to those of its record. */
  #takeCells(line: string, delimiter: Delimiter): void {
    let at = 0
    while (at >= 0)
      at =
        this.#quoted === null
          ? this.#plainCell(line, at, delimiter)
          : this.#restOfQuoted(line, at, at, delimiter)
  }

  /** Where the next cell begins; -1 behind the last. */
  #plainCell(line: string, begin: number, delimiter: Delimiter): number {
    const opening = / *"/y
    opening.lastIndex = begin
    if (opening.test(line)) {
      this.#quoted = ""
      this.#quoteLine = this.#lines
      return this.#restOfQuoted(line, begin, opening.lastIndex, delimiter)
    }
    const end = line.indexOf(delimiter, begin)
    this.#cells.push(end < 0 ? line.slice(begin) : line.slice(begin, end))
    return end < 0 ? -1 : end + 1
  }

  /** As `plainCell`, inside quotes; `begin` is that of the cell in this line. */
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
    // Rows above this one would be a part of the cell.
    if (this.#quoteLine !== this.#lines) throw this.#openQuote()
    // The quote is a character of its cell: `"5" disks`.
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

/** A line that is for people: `#` alone or before a space. An address may begin with `#`. */
const isComment = (line: string): boolean => /^\s*#+(\s|$)/.test(line)

/** The first quote that is not one of two; -1 when there is none. */
const closingQuote = (line: string, from: number): number => {
  let at = line.indexOf('"', from)
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2)
  return at
}
