// Exports to a file: a new export, or a resumed one. Only one export at a time writes to a file. Written rows are kept,
// however the export ends.

import { ApiError, type Footfall } from "@footfall/sdk"
import { existsSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { isTemporary, type RunningWait } from "../retry/retry.ts"
import { removeDeadDrafts, withFileLock } from "../profiles/file-lock.ts"
import { countText } from "../ui/text.ts"
import { showProgress } from "../terminal/work.ts"
import type { Terminal } from "../terminal/terminal.ts"
import {
  ExportFile,
  type ExportJournal,
  exportPaths,
  type ExportPaths,
  type ExportQuery,
  forgetExport,
  readJournal,
} from "./export-file.ts"
import { exportPages, exportProgress } from "./export-pages.ts"

/** `new` refuses an existing file; `resume` continues an export if there is one. */
export type ExportMode = "new" | "resume" | "restart"

/** What to export, where to, and how to start. */
export interface ExportRequest {
  readonly file: string
  readonly mode: ExportMode
  /** Whether to overwrite an existing file. */
  readonly isOverwriting: boolean
  readonly question: ExportQuery
  readonly format: ExportJournal["format"]
}

/** A cursor is valid for 24 hours (spec 1.6). */
const CURSOR_VALID_MS = 24 * 60 * 60 * 1000

/**
 * Returns the journal of the complete export. Errors: usage; `EXPORT_INCOMPLETE` (exit code 3), if the server or the
 * network fails after rows were written; other errors are passed on. Written rows are kept in every case.
 */
export const runExport = async (
  terminal: Terminal,
  client: Footfall,
  request: ExportRequest,
): Promise<{ readonly journal: ExportJournal; readonly rowsBefore: number }> => {
  const paths = exportPaths(request.file)
  const busy = (): CliError => usageError(`Another export to ${request.file} is in progress.`)
  return withFileLock(paths.lock, { waitMaxMs: 0, busy }, async () => {
    const begin = beginning(terminal, client, request, paths)
    const file = new ExportFile(paths, begin)
    await writeRows(terminal, client, { request, file })
    file.finish()
    return { journal: file.journal, rowsBefore: begin.rows }
  })
}

const beginning = (
  terminal: Terminal,
  client: Footfall,
  request: ExportRequest,
  paths: ExportPaths,
): ExportJournal => {
  const { mode, file, question, format, isOverwriting } = request
  removeDeadDrafts(paths.journal)
  const left = mode === "restart" ? null : readJournal(paths.journal)
  // A finished or expired export cannot be resumed.
  const cannotResume =
    left !== null && (!existsSync(paths.part) || (mode === "new" && isExpired(terminal, left)))
  if (cannotResume) forgetExport(paths)
  const journal = cannotResume ? null : left
  if (journal === null) {
    if (existsSync(file) && !isOverwriting) {
      throw usageError(`File already exists: ${file}`, "Add --overwrite to replace it.")
    }
    forgetExport(paths)
    const cursorAt = terminal.now.toISOString()
    const none = { cursor: null, cursorAt, rows: 0, bytes: 0, total: 0 }
    return { version: 1, server: client.baseUrl, question, format, ...none }
  }
  if (mode === "new") {
    throw usageError(
      `An export to ${file} stopped after ${rowsText(journal)}.`,
      "Add --resume to continue, or --restart to start over.",
    )
  }
  const requested = JSON.stringify({ server: client.baseUrl, question, format })
  const begun = { server: journal.server, question: journal.question, format: journal.format }
  if (requested !== JSON.stringify(begun)) {
    throw usageError(
      `The stopped export to ${file} was started with other options: ${JSON.stringify(begun)}.`,
      "Use the same options to continue, or --restart to start over.",
    )
  }
  if (isExpired(terminal, journal)) throw cursorExpired(file)
  return journal
}

const isExpired = ({ now }: Terminal, { cursorAt }: ExportJournal): boolean =>
  now.getTime() - Date.parse(cursorAt) >= CURSOR_VALID_MS

const writeRows = async (
  terminal: Terminal,
  client: Footfall,
  { request, file }: { readonly request: ExportRequest; readonly file: ExportFile },
): Promise<void> => {
  const rowsBefore = file.journal.rows
  const beganMs = performance.now()
  let running: RunningWait | null = null
  const progress = await showProgress(terminal, () =>
    exportProgress({
      title: `Exporting to ${request.file}`,
      journal: file.journal,
      rowsBefore,
      beganMs,
      nowMs: performance.now(),
      wait: running,
    }),
  )
  const printInterrupted = (): void => {
    progress.end()
    file.leave()
    terminal.stderr.write(`Interrupted after ${rowsText(file.journal)}. ${resumeAdvice}\n`)
  }
  terminal.atInterrupt.add(printInterrupted)
  try {
    await exportPages(client, file, {
      wait,
      onWait: (begun) => {
        running = begun === null ? null : { ...begun, sinceMs: performance.now() }
        progress.update()
      },
      onPage: progress.update,
    })
  } catch (error) {
    file.leave()
    throw incomplete(error, request, file.journal)
  } finally {
    progress.end()
    terminal.atInterrupt.delete(printInterrupted)
  }
}

const resumeAdvice = "To continue, run the same command with --resume."

const rowsText = ({ rows, total }: ExportJournal): string =>
  total === 0 ? `${countText(rows)} rows` : `${countText(rows)} of ${countText(total)} rows`

/** The server or the network was unreachable, so the export is partial and can be resumed. */
const incomplete = (error: unknown, { file }: ExportRequest, journal: ExportJournal): unknown => {
  if (error instanceof ApiError && error.code === "INVALID_CURSOR") return cursorExpired(file)
  if (!isTemporary(error) || journal.rows === 0) return error
  return new CliError({
    code: "EXPORT_INCOMPLETE",
    message: `Stopped after ${rowsText(journal)}: ${error.message}`,
    exitCode: ExitCode.partial,
    nextStep: resumeAdvice,
  })
}

const cursorExpired = (file: string): CliError =>
  usageError(
    `The export to ${file} cannot be resumed: it stopped more than 24 hours ago.`,
    "Add --restart to start over.",
  )
