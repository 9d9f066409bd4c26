// The format of a result: a screen on a terminal, JSON elsewhere, unless an option asks for another. Source: spec
// 1.1, Output.

import { Option } from "commander"
import { fieldsGiven, type Fields } from "./fields.ts"
import { usageError } from "../errors/cli-error.ts"

/** `json` is one document; `ndjson` and `csv` are row by row and only for lists. */
export type OutputFormat = "table" | "json" | "ndjson" | "csv"

/** The part of a command's options that decides. */
export interface OutputOptions {
  readonly json?: true
  readonly output?: OutputFormat
  readonly fields?: Fields
}

/** The form, and what of the result it holds; null is all of them. */
export interface Output {
  readonly format: OutputFormat
  readonly fields: Fields | null
}

/** The part of a terminal that decides. */
interface OutputStream {
  readonly stdout: { readonly isTTY: boolean }
}

/** The option of commands that print a list. */
export const outputOption = (): Option =>
  new Option("--output <format>", "output format").choices(["table", "json", "ndjson", "csv"])

/** The option of commands that print a list or one thing and change nothing. */
export const fieldsOption = (): Option =>
  new Option(
    "--fields <names>",
    "show only these fields, for example id,emailHashes.md5",
  ).argParser(fieldsGiven)

/** Errors: usage, when `--json` and `--output` ask for different forms. */
export const outputFormat = (options: OutputOptions, { stdout }: OutputStream): OutputFormat => {
  if (options.json && options.output !== undefined && options.output !== "json") {
    throw usageError(`--json cannot be used with --output ${options.output}.`)
  }
  if (options.json) return "json"
  return options.output ?? (stdout.isTTY ? "table" : "json")
}

/** Errors: as `outputFormat`. */
export const outputOf = (options: OutputOptions, terminal: OutputStream): Output => ({
  format: outputFormat(options, terminal),
  fields: options.fields ?? null,
})

/**
 * Whether an error is printed as JSON. It is read from the bare arguments, because the error may be
 * that they could not be understood.
 */
export const isJsonWanted = (
  commandLine: ReadonlyArray<string>,
  { stdout }: OutputStream,
): boolean => {
  if (commandLine.includes("--json")) return true
  const given = commandLine.findIndex((word) => word.startsWith("--output"))
  const word = commandLine[given]
  const format = word?.startsWith("--output=")
    ? word.slice("--output=".length)
    : commandLine[given + 1]
  return word === undefined ? !stdout.isTTY : format === "json" || format === "ndjson"
}
