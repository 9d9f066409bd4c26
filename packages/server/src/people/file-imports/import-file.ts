// Reads one file while it arrives: its encoding, its layout, and then each row as a rule, a value of a list, or a
// rejection, which are copied into the staging tables. Memory does not grow with the file. Repeats are found later (store.ts).
import {
  adviceFor,
  encodingOf,
  fileKind,
  firstRows as rowsIn,
  HEAD_BYTES,
  isFreeMailRule,
  type Layout,
  layoutOf,
  ReadingError,
  RecordReader,
  RowReader,
  ruleAsWritten,
  type SourceRow,
  tableIn,
  type TextRecord,
} from "@footfall/normal-form/reading"
import { rejectionMessage } from "@footfall/normal-form"
import type { CopyConnection } from "../../platform/database/copy.ts"
import { copyLines, copyNull, copyText } from "../imports/copy-text.ts"
import type { ImportFormat } from "../imports/import-format.ts"
import type { ImportStep, OpenImport } from "../imports/import-kind.ts"
import { ImportRefused } from "../imports/import-refused.ts"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { type ListSubject, readValue } from "../lists/list.ts"
import {
  type NormalRule,
  ruleKeys,
  type RuleKeys,
  type RuleType,
  ruleTypes,
} from "../suppression/rule.ts"
import { Effect } from "effect"

/** The type that values of a list have among rules: they are read alike. */
export const typeOfSubject = {
  companies: "company_domain",
  people: "email",
} as const satisfies Record<ListSubject, RuleType>

/** Bytes of one file, after unpacking. */ // spec 10.3
export const fileBytesMax = 4 * 1024 ** 3
/** Rows of one file. */ // spec 10.3
export const fileRowsMax = 20_000_000
/** Rejected rows that are kept. All of them are counted. */ // spec 10.3
export const rejectionsKeptMax = 100_000
/** Rules copied in one transaction. */
const rulesPerStep = 20_000
/** Characters of a rejected value that are kept. */ // spec 2.6
const rejectedLengthMax = 512

/** How to read a file, as far as the request says. */
export interface ReadingOptions {
  readonly name: string
  readonly format: ImportFormat
  readonly type: RuleType | undefined
  readonly column: string | undefined
  readonly hasHeader: boolean | undefined
  readonly types: ReadonlyArray<RuleType> | undefined
  /** What the list contains that the file is for; null for suppression rules. */
  readonly subject: ListSubject | null
}

/** What one file contained. */
export interface FileFigures {
  readonly name: string
  /** How the file was read, for people. */
  readonly reading: string
  readonly rows: number
  readonly rejected: number
  readonly rejectedByType: Readonly<Partial<Record<RuleType, number>>>
  readonly rejectedByReason: Readonly<Record<string, number>>
  readonly freeMailDomains: ReadonlyArray<string>
}

/** How a file was read, as a request would ask for it. */
export interface FileLayout {
  readonly firstRows: ReadonlyArray<ReadonlyArray<string>>
  /** Of the values, from 1. */
  readonly column: number
  /** Null if each row says its type. */
  readonly type: RuleType | null
  readonly header: boolean
}

interface Rejected {
  readonly line: number
  readonly type: string
  readonly value: string
  readonly reason: string
  readonly message: string | undefined
}

type Rule = NormalRule & RuleKeys & { readonly line: number }

/** Where a file is copied to. */
interface ImportFileTarget extends Pick<CopyConnection, "into"> {
  readonly importId: string
  /** Its place among the import's files. */
  readonly file: number
  /** Whether the import waits, until the transaction ends. */
  hold(importId: string): Effect.Effect<boolean, DatabaseError>
  /** Returns false if the import has ended, or another file has this place. */
  addFile(
    importId: string,
    file: number,
    figures: FileFigures,
  ): Effect.Effect<boolean, DatabaseError>
}

/** One file of an import. */
export class ImportFile implements OpenImport {
  readonly #options: ReadingOptions
  readonly #target: ImportFileTarget
  #head: Array<Uint8Array> = []
  #headBytes = 0
  #bytes = 0
  #rows: ((chunk: Uint8Array | undefined) => Iterable<SourceRow | Rejected>) | undefined
  #reading = ""
  #layout: FileLayout | null = null
  #rules: Array<Rule> = []
  #rejections: Array<Rejected> = []
  #kept = 0
  readonly counts = { received: 0, rejectedCount: 0, rejected: [] }
  /** Counts the file as one of the import's. */
  readonly last = Effect.sync((): ReadonlyArray<ImportStep> => {
    const { addFile, file, importId } = this.#target
    return [
      Effect.flatMap(addFile(importId, file, this.#figures()), (isAdded) =>
        isAdded ? Effect.succeed({ inserted: 0, updated: 0 }) : importEnded,
      ),
    ]
  })
  readonly #rejectedByType: Partial<Record<RuleType, number>> = {}
  readonly #rejectedByReason = new Map<string, number>()
  readonly #freeMail = new Set<string>()

  constructor(options: ReadingOptions, target: ImportFileTarget) {
    const { subject } = options
    this.#options = subject === null ? options : { ...options, type: typeOfSubject[subject] }
    this.#target = target
  }

  #figures(): FileFigures {
    return {
      name: this.#options.name,
      reading: this.#reading,
      rows: this.counts.received,
      rejected: this.counts.rejectedCount,
      rejectedByType: this.#rejectedByType,
      rejectedByReason: Object.fromEntries(this.#rejectedByReason),
      freeMailDomains: [...this.#freeMail],
    }
  }

  push = (chunk: Uint8Array): ReadonlyArray<ImportStep> =>
    refusing(() => {
      this.#bytes += chunk.length
      if (this.#bytes > fileBytesMax) throw tooLarge()
      if (this.#rows !== undefined) return this.#take(this.#rows(chunk))
      // The caller may use the chunk's memory again.
      this.#head.push(chunk.slice())
      this.#headBytes += chunk.length
      return this.#headBytes < HEAD_BYTES ? [] : this.#begin(false)
    })

  end = (): ReadonlyArray<ImportStep> =>
    refusing(() => {
      const steps = this.#rows === undefined ? [...this.#begin(true)] : []
      steps.push(...this.#take(this.#rows!(undefined)))
      if (this.#rules.length + this.#rejections.length > 0) steps.push(this.#step())
      return steps
    })

  #begin(isWhole: boolean): ReadonlyArray<ImportStep> {
    const head = Buffer.concat(this.#head)
    this.#head = []
    const { format, name } = this.#options
    if (fileKind(head) === "zip") {
      throw new ReadingError(`${name} is a ZIP archive or a workbook.`, "Save it as CSV.")
    }
    const encoding = encodingOf(head)
    if (encoding === null) {
      throw new ReadingError(
        `${name} is not a text file in UTF-8 or UTF-16.`,
        "Save it as CSV in UTF-8.",
      )
    }
    const decoder = new TextDecoder(encoding)
    const encoded = encoding === "utf-8" ? "" : `, ${encoding.slice(0, 6).toUpperCase()}`
    const textOf = (chunk: Uint8Array | undefined) =>
      chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    const first = textOf(head)
    if (format === "ndjson") {
      const lines = new RecordReader(null, name)
      const isList = this.#options.subject !== null
      const rowOf = ({ cells, line }: TextRecord) => objectRow(cells[0]!, line, isList)
      this.#reading = `NDJSON${encoded}`
      this.#rows = function* (chunk) {
        for (const record of lines.read(textOf(chunk))) yield rowOf(record)
        if (chunk !== undefined) return
        for (const record of lines.end()) yield rowOf(record)
      }
      return this.#take(map(lines.read(first), rowOf))
    }
    const layout = this.#layoutOf(first, isWhole)
    const reader = new RowReader(layout, name)
    this.#reading = layout.description + encoded
    this.#rows = (chunk) => {
      const rows = reader.read(textOf(chunk))
      return chunk === undefined ? [...rows, ...reader.end()] : rows
    }
    return this.#take(reader.read(first))
  }

  /** How the file was read; null for NDJSON. Known once the file has been read. */
  get layout(): FileLayout | null {
    return this.#layout
  }

  /** The domains of companies may be in a column that names domains of addresses, such as `domain` or `website`. */
  #layoutFound(head: string, isWhole: boolean): Layout {
    const question = { head, isWhole, ...this.#options }
    if (this.#options.subject !== "companies") return layoutOf(question)
    try {
      return layoutOf(question)
    } catch (error) {
      if (!(error instanceof ReadingError) || error.missing.length === 0) throw error
      const named = layoutIn({ ...question, type: "domain" })
      if (named === null) throw error
      return named
    }
  }

  #layoutOf(head: string, isWhole: boolean): Layout {
    try {
      const layout = this.#layoutFound(head, isWhole)
      const { delimiter, hasHeader, type, valueColumn } = layout
      const firstRows = rowsShown(rowsIn(head, delimiter))
      this.#layout = { firstRows, column: valueColumn + 1, type, header: hasHeader }
      return layout
    } catch (error) {
      if (!(error instanceof ReadingError) || error.missing.length === 0) throw error
      const { choices, message, missing } = error
      const rows = tableIn(head, this.#options)?.rows ?? rowsIn(head, null)
      throw new ImportRefused({
        message,
        code: "COLUMN_UNKNOWN",
        details: {
          missing: [...missing],
          choices: choices.map(({ column, type }) => ({ column, type })),
          firstRows: rowsShown(rows),
        },
      })
    }
  }

  #take(rows: Iterable<SourceRow | Rejected>): ReadonlyArray<ImportStep> {
    const steps: Array<ImportStep> = []
    for (const row of rows) {
      if (++this.counts.received > fileRowsMax) throw tooManyRows()
      const found = "reason" in row ? row : this.#read(row)
      if ("reason" in found) this.#reject(found)
      else this.#rules.push(found)
      if (this.#rules.length + this.#rejections.length >= rulesPerStep) steps.push(this.#step())
    }
    return steps
  }

  #read(row: SourceRow): Rule | Rejected {
    const { subject, types } = this.#options
    const { line, value } = row
    const type = subject === null ? row.type : typeOfSubject[subject]
    const rule = value.includes("\uFFFD")
      ? "unreadable_text"
      : subject === null
        ? ruleAsWritten(row, types)
        : memberAsWritten(subject, value)
    const reason = typeof rule === "string" ? rule : row.isCut ? "value_cut" : undefined
    if (reason !== undefined) {
      const message = rejectionMessage(value, reason) ?? adviceFor(value, reason, subject !== null)
      return { line, type, value, reason, message }
    }
    const normal = rule as NormalRule | (NormalRule & RuleKeys) // Otherwise it has a reason.
    if (isFreeMailRule(normal)) this.#freeMail.add(normal.value)
    return "matchKey" in normal ? { ...normal, line } : { ...normal, ...ruleKeys(normal), line }
  }

  #reject(rejected: Rejected): void {
    const { reason, type } = rejected
    this.counts.rejectedCount++
    this.#rejectedByReason.set(reason, (this.#rejectedByReason.get(reason) ?? 0) + 1)
    // A file may use any text as a type.
    const known = ruleTypes.find((each) => each === type)
    if (known !== undefined) this.#rejectedByType[known] = (this.#rejectedByType[known] ?? 0) + 1
    if (this.#kept === rejectionsKeptMax) return
    this.#kept++
    this.#rejections.push({
      ...rejected,
      type: storable(type),
      value: storable(rejected.value),
    })
  }

  /** The transaction that copies what has been read so far. */
  #step(): ImportStep {
    const [rules, rejections] = [this.#rules, this.#rejections]
    this.#rules = []
    this.#rejections = []
    const { file, hold, importId, into } = this.#target
    const place = `${importId}\t${file}`
    const ruleLine = (rule: Rule) => {
      const { alsoKey, matchKey } = rule
      const also = alsoKey === null ? copyNull : copyText(alsoKey)
      return `${place}\t${rule.line}\t${rule.type}\t${copyText(rule.value)}\t${copyText(matchKey)}\t${also}`
    }
    const rejectionLine = ({ line, message, reason, type, value }: Rejected) =>
      `${place}\t${line}\t${copyText(type)}\t${copyText(value)}\t${reason}\t${copyText(message)}`
    return Effect.gen(function* () {
      if (!(yield* hold(importId))) return yield* importEnded
      yield* into(ruleTarget, copyLines(rules, ruleLine))
      if (rejections.length > 0) {
        yield* into(rejectionTarget, copyLines(rejections, rejectionLine))
      }
      return { inserted: rules.length, updated: 0 }
    })
  }
}

/** Null if the text does not say it. */
const layoutIn = (question: Parameters<typeof layoutOf>[0]): Layout | null => {
  try {
    return layoutOf(question)
  } catch (error) {
    if (error instanceof ReadingError) return null
    throw error
  }
}

/** A value of a list, as it is staged. */
const memberAsWritten = (subject: ListSubject, text: string) => {
  const member = readValue(subject, text)
  if (typeof member === "string") return member
  const { key: matchKey, value } = member
  return { type: typeOfSubject[subject], value, matchKey, alsoKey: null }
}

const ruleTarget = {
  table: "staged_rule",
  columns: ["import_id", "file", "line", "type", "value", "match_key", "also_key"],
}

const rejectionTarget = {
  table: "staged_rejection",
  columns: ["import_id", "file", "line", "type", "value", "reason", "message"],
}

/** A line of NDJSON as a row. Other properties are ignored. A value of a list may stand alone. */
const objectRow = (text: string, line: number, isList: boolean): SourceRow | Rejected => {
  const record = parsed(text)
  if (isList && typeof record === "string") return { line, type: "", value: record.toWellFormed() }
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    return { line, type: "", value: text, reason: "not_an_object", message: undefined }
  }
  const { type, value }: { readonly type?: unknown; readonly value?: unknown } = record
  return {
    line,
    type: typeof type === "string" ? type : "",
    value: typeof value === "string" ? value.toWellFormed() : "",
  }
}

/** Undefined for invalid JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function* map<A, B>(items: Iterable<A>, of: (item: A) => B): Iterable<B> {
  for (const item of items) yield of(item)
}

/** Postgres stores neither NUL nor half a character. */
const storable = (text: string): string =>
  text.slice(0, rejectedLengthMax).toWellFormed().replaceAll("\0", "\uFFFD")

/** For a file of an import that was applied or dropped, is older than an hour, or never was. */
export const importEnded = new ImportRefused({
  message: "Not found.",
  code: "NOT_FOUND",
})

const tooManyRows = () =>
  new ImportRefused({
    message: `The file has more than ${fileRowsMax} rows. Split it.`,
    code: "PAYLOAD_TOO_LARGE",
    details: { limitRows: fileRowsMax },
  })

const tooLarge = () =>
  new ImportRefused({
    message: `The file is larger than ${fileBytesMax} bytes.`,
    code: "PAYLOAD_TOO_LARGE",
    details: { limitBytes: fileBytesMax },
  })

/** The first rows, as far as they are shown. They are never stored. */ // spec 5.16.4
const rowsShown = (rows: ReadonlyArray<ReadonlyArray<string>>): Array<Array<string>> =>
  rows
    .slice(0, 6)
    .map((cells) => cells.slice(0, 200).map((cell) => cell.slice(0, 80).toWellFormed()))

/** Turns what the reader refuses into what the request is answered. */
const refusing = <A>(read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    const { message, nextStep } = error
    throw new ImportRefused({
      message,
      details: nextStep === undefined ? {} : { hint: nextStep },
    })
  }
}
