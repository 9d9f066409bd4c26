// The process: runs the program and turns a thrown error into an exit code. A closed output (`|
// head`, or quitting the pager) is not an error. Ctrl-C exits with 130 after cleanup; a second
// Ctrl-C exits immediately. While a pager is open, the pager handles Ctrl-C.

import { CommanderError } from "commander"
import type { GlobalOptions } from "./connection/global-options.ts"
import { ExitCode, ReaderClosed } from "./errors/cli-error.ts"
import { isJsonWanted } from "./output/output-format.ts"
import { program, wholeProgram } from "./program.ts"
import { Pager } from "./terminal/pager.ts"
import type { Terminal } from "./terminal/terminal.ts"
import { version } from "./version.ts"

const { stdout, stderr } = process
const commandLine = process.argv.slice(2)
const terminal: Terminal = {
  // Opened on first read, because opening it takes longer than parsing most commands.
  get stdin() {
    return process.stdin
  },
  stdout,
  stderr,
  pager: new Pager({ stdout, environment: process.env, commandLine }),
  environment: process.env,
  now: new Date(),
  atInterrupt: new Set(),
  liveScreens: new Set(),
  get isQuiet() {
    return root.opts<GlobalOptions>().quiet === true
  },
  endWith: (exitCode) => {
    process.exitCode = exitCode
  },
}

const root = program(terminal, version)

const main = async (): Promise<void> => {
  const failures = [await failureOf(runCommand()), await failureOf(terminal.pager.end())]
  // Printed only now, because the pager owned the screen.
  for (const { error } of failures.filter((failure) => failure !== null)) await fail(error)
}

const runCommand = async (): Promise<void> => {
  try {
    await root.parseAsync(commandLine, { from: "user" })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (isHelp(error)) return
    const { misunderstood } = await import("./errors/misunderstood.ts")
    throw await misunderstood(error, commandLine, () => wholeProgram(terminal, version))
  }
}

const failureOf = async (done: Promise<void>): Promise<{ readonly error: unknown } | null> => {
  try {
    await done
    return null
  } catch (error) {
    return error instanceof ReaderClosed ? null : { error }
  }
}

const fail = async (error: unknown): Promise<void> => {
  // Loaded only now, because it loads the SDK to recognize its errors.
  const { errorAsJson, errorAsText, errorReport } = await import("./errors/error-report.ts")
  const { helpAdvice } = await import("./errors/misunderstood.ts")
  const report = errorReport(error, commandLine, helpAdvice(root, commandLine))
  const toText = isJsonWanted(commandLine, terminal) ? errorAsJson : errorAsText
  stderr.write(`${toText(report)}\n`)
  process.exitCode = report.exitCode
}

const isHelp = ({ code }: CommanderError): boolean =>
  code === "commander.version" || code === "commander.help" || code === "commander.helpDisplayed"

/** Units: milliseconds. Cleanup that takes longer is abandoned. */
const undoingMax = 5000

const interrupted = async (exitCode: number): Promise<void> => {
  terminal.pager.flush()
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(exitCode))
  const undoing = [...terminal.atInterrupt].map((end) => end()).filter((end) => end !== undefined)
  if (undoing.length === 0) process.exit(exitCode)
  setTimeout(() => process.exit(exitCode), undoingMax)
  const undone = await Promise.allSettled(undoing)
  const failed = undone.find((end) => end.status === "rejected")
  if (failed !== undefined) await fail(failed.reason)
  process.exit(exitCode)
}
const onInterrupt = (): void => {
  if (terminal.pager.isOpen) return
  process.off("SIGINT", onInterrupt)
  void interrupted(ExitCode.interrupted)
}
process.on("SIGINT", onInterrupt)
process.once("SIGTERM", () => interrupted(ExitCode.terminated))
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(ExitCode.done)
    // A failure can't be printed on a stream that failed.
    if (stream === stderr) process.exit(ExitCode.failed)
    void fail(error).finally(() => process.exit(ExitCode.failed))
  })
}

await main()
