// Sends the rules of a spool and shows the progress. Every successful request is in the journal.

import type { Footfall } from "@footfall/sdk"
import { rmSync } from "node:fs"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { LimitWatch } from "../retry/limit-watch.ts"
import { isTemporary } from "../retry/retry.ts"
import { counted, countText, rateText, timeLeftText } from "../ui/text.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { showWork } from "../terminal/work.ts"
import { writeJournal, type ImportJournal } from "./import-journal.ts"
import { sendRules } from "./send-rules.ts"
import { appendRejected } from "./rejected-file.ts"
import { sourceName } from "./source-file.ts"

/** Files that an import needs to resume. */
export interface KeptPaths {
  readonly spool: string
  readonly journal: string
}

/** Errors: `IMPORT_INTERRUPTED` (exit code 1), if the server or the network fails; other errors are passed on. */
export const sendShown = async (
  terminal: Terminal,
  client: Footfall,
  {
    rowsPerRequest,
    files,
  }: { readonly rowsPerRequest: number; readonly files: ReadonlyArray<string> },
  from: { readonly paths: KeptPaths; readonly isKept: boolean; readonly begun: ImportJournal },
): Promise<ImportJournal> => {
  const { paths, isKept, begun } = from
  const limit = new LimitWatch()
  let journal = begun
  const stoppedText = (): string =>
    `${rulesText(journal)}. ${isKept ? resumeAdvice : "It is safe to run the same command again."}`
  const work = await showWork(
    terminal,
    (elapsedMs) => {
      const rulesLeft = journal.prepared.rules - journal.rulesDone
      const limitSeconds = limit.secondsFor(Math.ceil(rulesLeft / rowsPerRequest))
      return sendState({ journal, rulesBefore: begun.rulesDone, elapsedMs, limitSeconds, files })
    },
    () => `Interrupted after ${stoppedText()}`,
  )
  try {
    journal = await sendRules(client, {
      spool: paths.spool,
      rowsPerRequest,
      journal,
      waiting: work.waiting,
      hooks: limit.hooks,
      onJournal: (state) => {
        journal = state
        if (isKept) writeJournal(paths.journal, state)
        work.update()
      },
    })
  } catch (error) {
    if (!isTemporary(error)) throw error
    throw new CliError({
      code: "IMPORT_INTERRUPTED",
      message: `Stopped after ${rulesText(journal)}: ${error.message}`,
      exitCode: ExitCode.failed,
      ...(isKept ? { nextStep: resumeAdvice } : {}),
    })
  } finally {
    work.end()
  }
  writeRefused(journal)
  rmSync(paths.journal, { force: true })
  return journal
}

/** Appends the rows that only the server rejected to those that the command line rejected. */
const writeRefused = ({ prepared, refused }: ImportJournal): void => {
  for (const [index, { rejectedFile, rejectedBytes }] of prepared.files.entries()) {
    const rows = refused.filter(({ file }) => file === index)
    if (rejectedFile !== null) appendRejected(rejectedFile, rejectedBytes, rows)
  }
}

const sendState = (state: {
  readonly journal: ImportJournal
  readonly rulesBefore: number
  readonly elapsedMs: number
  readonly limitSeconds: number
  readonly files: ReadonlyArray<string>
}) => {
  const { journal, rulesBefore, elapsedMs, limitSeconds, files } = state
  const { rulesDone, prepared, refusedCount } = journal
  const done = rulesDone - rulesBefore
  const advance = { done, left: prepared.rules - rulesDone, elapsedMs, limitSeconds }
  const rejected = prepared.rejectedCount + refusedCount
  const what = files.length === 1 ? sourceName(files[0] ?? "") : `${files.length} files`
  return {
    // In the title, because the figures already fill a narrow screen.
    title: `Importing ${what}${rejected === 0 ? "" : ` (${counted(rejected, "row")} rejected)`}`,
    fraction: prepared.rules === 0 ? null : rulesDone / prepared.rules,
    figures: [rulesText(journal), rateText(advance, "rules"), timeLeftText(advance)].filter(
      (figure) => figure !== null,
    ),
  }
}

const resumeAdvice = "To continue, run the same command with --resume."

/** `1,204 of 20,000 rules`. */
export const rulesText = ({ rulesDone, prepared }: ImportJournal): string =>
  `${countText(rulesDone)} of ${countText(prepared.rules)} rules`
