// Imports files: reads, plans, confirms and sends, or resumes an import that stopped. Only one
// import of a file runs at a time. However the import ends, its journal records what was sent.

import type { Footfall } from "@footfall/sdk"
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type CliError, codeOf, usageError } from "../errors/cli-error.ts"
import { makeTemporaryFolder, removeDeadDrafts, withFileLock } from "../profiles/file-lock.ts"
import { counted } from "../ui/text.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { showWork } from "../terminal/work.ts"
import {
  boundFile,
  readJournal,
  writeJournal,
  type ImportBinding,
  type ImportJournal,
} from "./import-journal.ts"
import { prepareShown } from "./prepare-shown.ts"
import type { Prepared } from "./prepared.ts"
import { keepHeapSmall, type PrepareRequest } from "./prepare.ts"
import { previewRules, type PlanPreview } from "./preview-rules.ts"
import { checkRejectedFile } from "./rejected-file.ts"
import { checkNotEmpty } from "./removals.ts"
import { requireReadable } from "./source-file.ts"
import { accountShown } from "./send-rules.ts"
import { rulesText, sendShown, type KeptPaths } from "./send-shown.ts"

/** `new` fails if an earlier import stopped; `resume` continues it if there is one. */
export type ImportMode = "new" | "resume" | "restart"

/** What to import, and how. */
export interface RuleImportRequest extends Omit<PrepareRequest, "types"> {
  readonly mode: ImportMode
  readonly isDryRun: boolean
  /** Whether files without rows are fine. */
  readonly isEmptyAllowed: boolean
  readonly rowsPerRequest: number
  /** Called before anything is sent; an error it throws ends the import. */
  readonly onPlan: (plan: ImportPlan) => Promise<void>
}

/** What would be sent, and where to. */
export interface ImportPlan {
  readonly server: string
  readonly organization: string
  readonly prepared: Prepared
  /** Null if it would take too many requests. */
  readonly preview: PlanPreview | null
}

/** The result of an import. */
export interface RuleImport extends Omit<ImportPlan, "preview"> {
  /** Also null after a resume. */
  readonly preview: PlanPreview | null
  /** Null for a dry run. */
  readonly sent: ImportJournal | null
  /** Rules that an earlier run sent. */
  readonly rulesResumedFrom: number
}

interface ImportPaths extends KeptPaths {
  readonly lock: string
}

/**
 * Errors: usage; `IMPORT_INTERRUPTED` (exit code 1), if the server or the network fails; other
 * errors are passed on. The journal keeps what was sent.
 */
export const runImport = async (
  terminal: Terminal,
  client: Footfall,
  request: RuleImportRequest,
): Promise<RuleImport> => {
  const { files, isDryRun } = request
  keepHeapSmall()
  for (const file of files) if (file !== "-") requireReadable(file)
  const [first = "-"] = files
  const isKept = !isDryRun && !files.includes("-")
  const directory = isKept ? null : makeTemporaryFolder("import")
  const paths = importPaths(directory === null ? first : join(directory, "rules"))
  if (isKept) requireWritable(first, paths.lock)
  const busy = (): CliError => usageError(`Another import of ${first} is in progress.`)
  const forget = (): void => {
    // An import that resumes later needs its spool.
    if (!existsSync(paths.journal)) rmSync(paths.spool, { force: true })
    if (directory !== null) rmSync(directory, { recursive: true, force: true })
  }
  process.once("exit", forget)
  try {
    return await withFileLock(paths.lock, { waitMaxMs: 0, busy }, () =>
      importLocked(terminal, client, request, { paths, isKept }),
    )
  } finally {
    process.off("exit", forget)
    forget()
  }
}

/** Errors: usage, if nothing can be written next to a file. */
const requireWritable = (file: string, lock: string): void => {
  const draft = `${lock}.${process.pid}`
  try {
    writeFileSync(draft, "")
  } catch (error) {
    throw usageError(
      `Can't write next to ${file} (${codeOf(error)}), where an import keeps its progress.`,
      `Copy the file to a folder that you can write to, or import standard input: footfall suppression import - < ${file}`,
    )
  } finally {
    rmSync(draft, { force: true })
  }
}

const importPaths = (file: string): ImportPaths => ({
  spool: `${file}.footfall-import.rules`,
  journal: `${file}.footfall-import.json`,
  lock: `${file}.footfall-import.lock`,
})

const importLocked = async (
  terminal: Terminal,
  client: Footfall,
  request: RuleImportRequest,
  { paths, isKept }: { readonly paths: ImportPaths; readonly isKept: boolean },
): Promise<RuleImport> => {
  for (const path of [paths.journal, ...request.rejectedFiles]) {
    if (path !== null) removeDeadDrafts(path)
  }
  const { organization } = await accountShown(terminal, client)
  const binding: ImportBinding = {
    server: client.baseUrl,
    organizationId: organization.id,
    type: request.type ?? null,
    column: request.column ?? null,
    files: isKept ? request.files.map(boundFile) : [],
  }
  const where = { server: client.baseUrl, organization: organization.name }
  const stopped = isKept ? stoppedImport(paths, request, binding) : null
  if (stopped !== null) {
    const sent = await sendShown(terminal, client, request, { paths, isKept, begun: stopped })
    const { prepared, rulesDone } = stopped
    return { ...where, prepared, preview: null, sent, rulesResumedFrom: rulesDone }
  }
  for (const file of request.rejectedFiles) if (file !== null) checkRejectedFile(file)
  const prepared = await prepareShown(terminal, { ...request, types: undefined }, paths.spool)
  if (!request.isEmptyAllowed) checkNotEmpty(prepared)
  const preview = await previewShown(terminal, client, paths.spool, prepared)
  const plan = { ...where, prepared, preview }
  if (request.isDryRun) return { ...plan, sent: null, rulesResumedFrom: 0 }
  await request.onPlan(plan)
  const begun: ImportJournal = { version: 1, binding, prepared, ...nothingSent }
  if (isKept) writeJournal(paths.journal, begun)
  const sent = await sendShown(terminal, client, request, { paths, isKept, begun })
  return { ...plan, sent, rulesResumedFrom: 0 }
}

const nothingSent = {
  bytesDone: 0,
  rulesDone: 0,
  added: 0,
  duplicates: 0,
  refusedCount: 0,
  refused: [],
  total: null,
} satisfies Partial<ImportJournal>

/** The import to resume, or null. Errors: usage, if its files or options differ, or if --resume is missing. */
const stoppedImport = (
  { journal: path, spool }: ImportPaths,
  { mode, files }: RuleImportRequest,
  binding: ImportBinding,
): ImportJournal | null => {
  if (mode === "restart" || (mode === "new" && cannotResume(path))) rmSync(path, { force: true })
  const journal = readJournal(path)
  if (journal === null) return null
  if (mode === "new") {
    throw usageError(
      `An import of ${files[0]} stopped after ${rulesText(journal)}.`,
      "Add --resume to continue, or --restart to start over.",
    )
  }
  if (JSON.stringify(journal.binding) !== JSON.stringify(binding) || !existsSync(spool)) {
    throw usageError(
      `The import of ${files[0]} cannot be resumed: ${difference(journal.binding, binding)}.`,
      "Add --restart to start over.",
    )
  }
  return journal
}

/** An older import is not resumed. */
const JOURNAL_AGE_MAX_MS = 7 * 24 * 60 * 60 * 1000

/** Whether there is nothing to resume: nothing was sent, everything was, or it is too old. */
const cannotResume = (path: string): boolean => {
  const journal = readJournal(path)
  if (journal === null) return false
  const { rulesDone, prepared } = journal
  const ageMs = Date.now() - statSync(path).mtimeMs
  return rulesDone === 0 || rulesDone >= prepared.rules || ageMs > JOURNAL_AGE_MAX_MS
}

const difference = (begun: ImportBinding, asked: ImportBinding): string => {
  if (begun.server !== asked.server) return `it went to ${begun.server}`
  if (begun.organizationId !== asked.organizationId) return "it went to another organization"
  if (begun.type !== asked.type || begun.column !== asked.column) {
    return "it had a different --type or --column"
  }
  const isSame = JSON.stringify(begun.files) === JSON.stringify(asked.files)
  return isSame ? "its saved rows are gone" : "the files have changed or are different"
}

const previewShown = async (
  terminal: Terminal,
  client: Footfall,
  spool: string,
  prepared: Prepared,
): Promise<PlanPreview | null> => {
  const work = await showWork(terminal, () => ({
    title: "Checking what the rules would do",
    fraction: null,
    figures: [counted(prepared.rules, "rule")],
  }))
  try {
    return await previewRules(client, spool, prepared, work.waiting)
  } finally {
    work.end()
  }
}
