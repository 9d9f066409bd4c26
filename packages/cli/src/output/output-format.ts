// In which form a result is printed: a screen on a terminal, JSON everywhere else, and what was
// asked for in any case. Source: decisions.md 1.1, Output.

import { Option } from "commander"
import { usageError } from "../errors/usage-error.ts"

/** `json` is one document; `ndjson` and `csv` are row by row and only for lists. */
export type OutputFormat = "table" | "json" | "ndjson" | "csv"

/** The part of a command's options that decides. */
export interface OutputOptions {
  readonly json?: true
  readonly output?: OutputFormat
}

/** The part of a terminal that decides. */
interface Output {
  readonly stdout: { readonly isTTY: boolean }
}

/** The option of commands that print a list. */
export const outputOption = (): Option =>
  new Option("--output <format>", "form of the result").choices(["table", "json", "ndjson", "csv"])

/** Errors: usage, when `--json` and `--output` ask for different forms. */
export const outputFormat = (options: OutputOptions, { stdout }: Output): OutputFormat => {
  if (options.json && options.output !== undefined && options.output !== "json") {
    throw usageError(`--json and --output ${options.output} exclude each other.`)
  }
  if (options.json) return "json"
  return options.output ?? (stdout.isTTY ? "table" : "json")
}

/**
 * Whether an error is printed as JSON. It is read from the bare arguments, because the error may be
 * that they could not be understood.
 */
export const isJsonWanted = (commandLine: ReadonlyArray<string>, { stdout }: Output): boolean => {
  if (commandLine.includes("--json")) return true
  const given = commandLine.findIndex((word) => word.startsWith("--output"))
  const word = commandLine[given]
  const format = word?.startsWith("--output=")
    ? word.slice("--output=".length)
    : commandLine[given + 1]
  return word === undefined ? !stdout.isTTY : format === "json" || format === "ndjson"
}
