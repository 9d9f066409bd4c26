// The process: joins the program and the terminal, and turns what was thrown into an exit code.
// A reader that goes away (`| head`) is no error. Ctrl-C ends with 130 once what is left to be undone is
// undone; a second one ends at once.

import { CommanderError } from "commander"
import type { CliError } from "./errors/cli-error.ts"
import { ExitCode } from "./errors/exit-code.ts"
import { usageError } from "./errors/usage-error.ts"
import { isJsonWanted } from "./output/output-format.ts"
import { program } from "./program.ts"
import type { Terminal } from "./terminal/terminal.ts"
import { version } from "./version.ts"

const { stdout, stderr } = process
const commandLine = process.argv.slice(2)
const terminal: Terminal = {
  // Opened when it is read from: that takes longer than most commands take to parse.
  get stdin() {
    return process.stdin
  },
  stdout,
  stderr,
  environment: process.env,
  now: new Date(),
  atInterrupt: new Set(),
  endWith: (exitCode) => {
    process.exitCode = exitCode
  },
}

const main = async (): Promise<void> => {
  try {
    await program(terminal, version).parseAsync(commandLine, { from: "user" })
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return
    await fail(error instanceof CommanderError ? misunderstood(error) : error)
  }
}

const fail = async (error: unknown): Promise<void> => {
  // Only now, because it loads the SDK to tell its errors apart.
  const { errorAsJson, errorAsText, errorReport } = await import("./errors/error-report.ts")
  const report = errorReport(error, commandLine)
  const toText = isJsonWanted(commandLine, terminal) ? errorAsJson : errorAsText
  stderr.write(`${toText(report)}\n`)
  process.exitCode = report.exitCode
}

const isHelp = ({ code }: CommanderError): boolean =>
  code === "commander.version" || code === "commander.help" || code === "commander.helpDisplayed"

const misunderstood = ({ message }: CommanderError): CliError =>
  usageError(message.replace(/^error: /, ""), "Run: footfall --help")

/** Units: milliseconds. What is not undone by then stays. */
const undoingMax = 5000

const interrupted = async (exitCode: number): Promise<void> => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(exitCode))
  const undoing = [...terminal.atInterrupt].map((end) => end()).filter((end) => end !== undefined)
  if (undoing.length === 0) process.exit(exitCode)
  setTimeout(() => process.exit(exitCode), undoingMax)
  const undone = await Promise.allSettled(undoing)
  const failed = undone.find((end) => end.status === "rejected")
  if (failed !== undefined) await fail(failed.reason)
  process.exit(exitCode)
}
process.once("SIGINT", () => interrupted(ExitCode.interrupted))
process.once("SIGTERM", () => interrupted(ExitCode.terminated))
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    process.exit(ExitCode.done)
  })
}

await main()
