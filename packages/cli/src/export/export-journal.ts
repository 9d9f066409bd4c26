// What an unfinished export leaves beside its file, so that a later run goes on where it stopped:
// FILE.footfall-export.json, replaced as a whole, so that it is never half of one.

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import type { PixelScope, SuppressedFilter, Timeframe } from "@footfall/sdk"
import { usageError } from "../errors/usage-error.ts"

/** What the export asks; a resumed one asks the same. */
export type ExportQuestion = PixelScope & {
  readonly timeframe: Timeframe
  readonly suppressed: SuppressedFilter
}

/** The forms a row can have in the file. */
export type ExportFormat = "csv" | "ndjson"

/** How far an export has come. */
export interface ExportJournal {
  readonly version: 1
  /** Address of the server. */
  readonly server: string
  readonly question: ExportQuestion
  readonly format: ExportFormat
  /** Leads to the page after the last one written; null when there is none. */
  readonly cursor: string | null
  /** When the cursor came, which is good for 24 hours. ISO 8601. */
  readonly cursorAt: string
  readonly rows: number
  /** Length of the file when these rows were in it; what lies behind is cut off. */
  readonly bytes: number
  /** Rows there are, as the server counted them. */
  readonly total: number
}

/** Null when there is none. Errors: usage, when what is there is no journal. */
export const readJournal = (path: string): ExportJournal | null => {
  try {
    const journal: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (isJournal(journal)) return journal
  } catch (error) {
    if (isMissing(error)) return null
  }
  throw usageError(`${path} is not the journal of an export.`, "Add --restart to begin anew.")
}

/** Replaces the journal at once. */
export const writeJournal = (path: string, journal: ExportJournal): void => {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(journal, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/** There may be none. */
export const removeJournal = (path: string): void => rmSync(path, { force: true })

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
