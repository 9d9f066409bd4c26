// The options of every command. None takes a secret: other users can see a command line (`ps`), and the shell
// history keeps it.

import { Option, type Command } from "commander"
import { usageError } from "../errors/cli-error.ts"
import type { OutputFormat } from "../output/output-format.ts"

/** As commander passes them to a command. */
export interface GlobalOptions {
  readonly profile?: string
  readonly baseUrl?: string
  readonly apiKeyStdin?: true
  readonly json?: true
  readonly output?: OutputFormat
  readonly quiet?: true
  readonly color: boolean
}

/** Adds the options to the program. Options that would take a secret are rejected with the reason. */
export const addGlobalOptions = (program: Command): Command => {
  program
    .addOption(
      new Option("-o, --output <format>", "output format (json when piped)").choices([
        "table",
        "json",
        "ndjson",
        "csv",
      ]),
    )
    .option("--json", "same as --output json")
    .option("-q, --quiet", "hide progress, notes and warnings, and the results of changes to rules")
    .option("--profile <name>", "use this profile")
    .option("--base-url <url>", "URL of the server")
    .option("--api-key-stdin", "read the API key from standard input")
    .option("--no-color", "disable color")
    .option("--no-pager", "disable the pager")
  for (const [name, nextStep] of Object.entries(insteadOf)) {
    program.addOption(new Option(`--${name} [secret]`).hideHelp()).on(`option:${name}`, () => {
      throw usageError(
        `--${name} does not exist: other users can read a secret on the command line, and ` +
          "it stays in the shell's history.",
        nextStep,
      )
    })
  }
  return program
}

const keyAdvice = "Use --api-key-stdin, FOOTFALL_API_KEY, or: footfall profiles create <name>"
const tokenAdvice = "Use FOOTFALL_ACCESS_TOKEN, or: footfall login"

/** Options people try, and what to use instead. */
const insteadOf: Readonly<Record<string, string>> = {
  "api-key": keyAdvice,
  key: keyAdvice,
  password: "Use --password-stdin, or: footfall login, which prompts for it",
  token: tokenAdvice,
  "access-token": tokenAdvice,
}
