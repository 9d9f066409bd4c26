// The process: joins the program and the terminal, and turns what was thrown into an exit code.
// A reader that goes away (`| head`) is no error; Ctrl-C ends at once with 130.

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

process.once("SIGINT", () => {
  for (const say of terminal.atInterrupt) say()
  process.exit(ExitCode.interrupted)
})
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    process.exit(ExitCode.done)
  })
}

await main()
