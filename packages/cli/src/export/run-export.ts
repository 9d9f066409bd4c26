// One export into a file: new, or going on with one that stopped. While it runs nobody else exports to
// that file; whatever ends it, what is written is kept.

import { AbortedError, ApiError, ConnectionError, TimeoutError, type Footfall } from "@footfall/sdk"
import { existsSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { usageError } from "../errors/usage-error.ts"
import type { RunningWait } from "../patience/running-wait.ts"
import { removeDeadDrafts } from "../profiles/dead-drafts.ts"
import { withFileLock } from "../profiles/file-lock.ts"
import { countText } from "../screens/figures.ts"
import { showProgress } from "../terminal/progress.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { ExportFile, exportPaths, forgetExport, type ExportPaths } from "./export-file.ts"
import { readJournal, type ExportJournal, type ExportQuestion } from "./export-journal.ts"
import { exportPages } from "./export-pages.ts"
import { exportProgress } from "./export-progress.ts"

/** `new` refuses what is there, `resume` goes on where there is something to go on with. */
export type ExportMode = "new" | "resume" | "restart"

/** What is exported, where to, and how it begins. */
export interface ExportRequest {
  readonly file: string
  readonly mode: ExportMode
  /** Whether a file of that name may be replaced. */
  readonly isOverwriting: boolean
  readonly question: ExportQuestion
  readonly format: ExportJournal["format"]
}

/** A cursor is good for 24 hours (spec 1.6). */
const CURSOR_VALID_MS = 24 * 60 * 60 * 1000

/**
 * Gives the journal of the whole export.
 * Errors: usage; `EXPORT_INCOMPLETE` (exit code 3), when the server or the network went away after
 * rows were written; others as they are, and what was written is kept all the same.
 */
export const runExport = async (
  terminal: Terminal,
  client: Footfall,
  request: ExportRequest,
): Promise<{ readonly journal: ExportJournal; readonly rowsBefore: number }> => {
  const paths = exportPaths(request.file)
  const busy = (): CliError => usageError(`Another export to ${request.file} is running.`)
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
  // What was finished or has expired is nothing to go on with.
  const isOfNoUse =
    left !== null && (!existsSync(paths.part) || (mode === "new" && isExpired(terminal, left)))
  if (isOfNoUse) forgetExport(paths)
  const journal = isOfNoUse ? null : left
  if (journal === null) {
    if (existsSync(file) && !isOverwriting) {
      throw usageError(`${file} is there already.`, "Add --overwrite to replace it.")
    }
    forgetExport(paths)
    const cursorAt = terminal.now.toISOString()
    const none = { cursor: null, cursorAt, rows: 0, bytes: 0, total: 0 }
    return { version: 1, server: client.baseUrl, question, format, ...none }
  }
  if (mode === "new") {
    throw usageError(
      `An export to ${file} stopped after ${rowsText(journal)}.`,
      "Add --resume to go on, or --restart to begin anew.",
    )
  }
  const asked = JSON.stringify({ server: client.baseUrl, question, format })
  const begun = { server: journal.server, question: journal.question, format: journal.format }
  if (asked !== JSON.stringify(begun)) {
    throw usageError(
      `The export to ${file} that stopped asked something else: ${JSON.stringify(begun)}.`,
      "Give the same options to go on, or --restart to begin anew.",
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
  const sayInterrupted = (): void => {
    progress.end()
    file.leave()
    terminal.stderr.write(`Interrupted after ${rowsText(file.journal)}. ${resumeAdvice}\n`)
  }
  terminal.atInterrupt.add(sayInterrupted)
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
    terminal.atInterrupt.delete(sayInterrupted)
  }
}

const resumeAdvice = "Run the same command with --resume to go on."

const rowsText = ({ rows, total }: ExportJournal): string =>
  `${countText(rows)} of ${countText(total)} rows`

/** The server or the network went away: what is there is part of the whole, and can be gone on with. */
const incomplete = (error: unknown, { file }: ExportRequest, journal: ExportJournal): unknown => {
  if (error instanceof ApiError && error.code === "INVALID_CURSOR") return cursorExpired(file)
  const isAway =
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    error instanceof AbortedError ||
    (error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status)))
  if (!isAway || journal.rows === 0) return error
  return new CliError({
    code: "EXPORT_INCOMPLETE",
    message: `Stopped after ${rowsText(journal)}: ${error.message}`,
    exitCode: ExitCode.partial,
    nextStep: resumeAdvice,
  })
}

const cursorExpired = (file: string): CliError =>
  usageError(
    `The export to ${file} cannot go on: its place in the list is older than 24 hours.`,
    "Add --restart to begin anew.",
  )
