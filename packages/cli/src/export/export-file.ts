// The partial file of an export, FILE.footfall-export.part, and its journal, FILE.footfall-export.json, from which a
// later export resumes. The part is renamed to FILE when it is complete, so FILE is never partial.

import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import type { PixelScope, SuppressedFilter, Timeframe } from "@footfall/sdk"
import { usageError } from "../errors/cli-error.ts"

/** The query of an export. A resumed export must send the same query. */
export type ExportQuery = PixelScope & {
  readonly timeframe?: Timeframe
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly suppressed: SuppressedFilter
}

/** Formats of the file. */
export type ExportFormat = "csv" | "ndjson"

/** The progress of an export. */
export interface ExportJournal {
  readonly version: 1
  /** The server's URL. */
  readonly server: string
  readonly question: ExportQuery
  readonly format: ExportFormat
  /** Cursor for the page after the last one written; null after the last page. */
  readonly cursor: string | null
  /** When the server returned the cursor, which is valid for 24 hours. ISO 8601. */
  readonly cursorAt: string
  readonly rows: number
  /** Length of the file with these rows. Anything after it is cut off. */
  readonly bytes: number
  /** Total number of rows, as reported by the server. */
  readonly total: number
}

/** Null if there is none. Errors: usage, if the file is not a journal. */
export const readJournal = (path: string): ExportJournal | null => {
  try {
    const journal: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (isJournal(journal)) return journal
  } catch (error) {
    if (isMissing(error)) return null
  }
  throw usageError(`${path} is not an export journal.`, "Add --restart to start over.")
}

/** Replaces the journal atomically. */
export const writeJournal = (path: string, journal: ExportJournal): void => {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(journal, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/** Does nothing if there is no journal. */
const removeJournal = (path: string): void => rmSync(path, { force: true })

const isJournal = (content: unknown): content is ExportJournal => {
  if (typeof content !== "object" || content === null) return false
  const { version, server, question, format, cursor, cursorAt, rows, bytes, total } =
    content as Partial<Record<keyof ExportJournal, unknown>>
  return (
    version === 1 &&
    typeof server === "string" &&
    typeof question === "object" &&
    question !== null &&
    (format === "csv" || format === "ndjson") &&
    (cursor === null || typeof cursor === "string") &&
    typeof cursorAt === "string" &&
    [rows, bytes, total].every((count) => Number.isSafeInteger(count) && Number(count) >= 0)
  )
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/** The paths of an export: its file, and the files it uses while it runs. */
export interface ExportPaths {
  readonly file: string
  readonly part: string
  readonly journal: string
  readonly lock: string
}

/** The paths for a file; all are in its folder. */
export const exportPaths = (file: string): ExportPaths => ({
  file,
  part: `${file}.footfall-export.part`,
  journal: `${file}.footfall-export.json`,
  lock: `${file}.footfall-export.lock`,
})

/** Minimum time between two writes of the journal. */
const CHECKPOINT_INTERVAL_MS = 1_000

/** Written by one process at a time. */
export class ExportFile {
  readonly #paths: ExportPaths
  readonly #descriptor: number
  #journal: ExportJournal
  #checkpointAtMs = -Infinity

  /**
   * Opens the part file at the journal's state: empty for a new export, truncated to the recorded length for a resumed
   * one. Errors: usage, if the part is shorter than the journal says; those of the file system.
   */
  constructor(paths: ExportPaths, journal: ExportJournal) {
    const isNew = journal.bytes === 0
    this.#paths = paths
    this.#journal = journal
    this.#descriptor = openSync(paths.part, isNew ? "w" : "r+", 0o600)
    if (fstatSync(this.#descriptor).size < journal.bytes) {
      closeSync(this.#descriptor)
      throw usageError(
        `${paths.part} is shorter than recorded in its journal.`,
        "Add --restart to start over.",
      )
    }
    ftruncateSync(this.#descriptor, journal.bytes)
  }

  /** The progress of the export. */
  get journal(): ExportJournal {
    return this.#journal
  }

  /**
   * Appends text and sets the journal's new state. Guarantee: after kill -9 or a power cut, the journal on disk only
   * counts bytes that are in the file.
   */
  append(text: string, state: Omit<ExportJournal, "bytes">): void {
    const bytes = Buffer.from(text)
    let written = 0
    while (written < bytes.length) {
      const position = this.#journal.bytes + written
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written, position)
    }
    this.#journal = { ...state, bytes: this.#journal.bytes + bytes.length }
    if (performance.now() - this.#checkpointAtMs >= CHECKPOINT_INTERVAL_MS) this.checkpoint()
  }

  /** Syncs the rows to disk, then writes the journal. */
  checkpoint(): void {
    fdatasyncSync(this.#descriptor)
    writeJournal(this.#paths.journal, this.#journal)
    this.#checkpointAtMs = performance.now()
  }

  /** Renames the complete part to its final name and deletes the journal. */
  finish(): void {
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    renameSync(this.#paths.part, this.#paths.file)
    removeJournal(this.#paths.journal)
  }

  /** Keeps everything so that a later run can resume. */
  leave(): void {
    this.checkpoint()
    closeSync(this.#descriptor)
  }
}

/** Deletes an unfinished export. */
export const forgetExport = ({ part, journal }: ExportPaths): void => {
  rmSync(journal, { force: true })
  rmSync(part, { force: true })
}
