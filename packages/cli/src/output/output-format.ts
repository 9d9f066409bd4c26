// The format of a result: a screen on a terminal, JSON elsewhere, unless an option asks for another. Source: spec
// 1.1, Output.

import { Option } from "commander"
import { usageError } from "../errors/cli-error.ts"

/** `json` is one document; `ndjson` and `csv` are printed row by row. */
export type OutputFormat = "table" | "json" | "ndjson" | "csv"

/** The options that set the format. */
export interface OutputOptions {
  readonly json?: true
  readonly output?: OutputFormat
  readonly fields?: Fields
}

/** The format and the selected fields; null selects all. */
export interface Output {
  readonly format: OutputFormat
  readonly fields: Fields | null
}

/** The part of a terminal that matters for the format. */
interface OutputStream {
  readonly stdout: { readonly isTTY: boolean }
}

/** For commands that only show a list or an object. */
export const fieldsOption = (example: string): Option =>
  new Option("--fields <names>", `show only these fields, for example ${example}`).argParser(
    fieldsGiven,
  )

/** Errors: usage, if `--json` and `--output` disagree. */
export const outputFormat = (options: OutputOptions, { stdout }: OutputStream): OutputFormat => {
  if (options.json && options.output !== undefined && options.output !== "json") {
    throw usageError(`--json cannot be used with --output ${options.output}.`)
  }
  if (options.json) return "json"
  return options.output ?? (stdout.isTTY ? "table" : "json")
}

/** For a command that prints the same text in a pipe and on a terminal. */
export const isJsonGiven = ({ json, output }: OutputOptions): boolean =>
  json === true || output === "json"

/** Errors: those of `outputFormat`. */
export const outputOf = (options: OutputOptions, terminal: OutputStream): Output => ({
  format: outputFormat(options, terminal),
  fields: options.fields ?? null,
})

/** Whether to print an error as JSON. Reads the raw arguments, because parsing them may have caused the error. */
export const isJsonWanted = (
  commandLine: ReadonlyArray<string>,
  { stdout }: OutputStream,
): boolean => {
  if (commandLine.includes("--json")) return true
  const option = /^(?:--output(?:=|$)|-[hqvy]*o)/
  const at = commandLine.findIndex((word) => option.test(word))
  if (at < 0) return !stdout.isTTY
  const format = commandLine[at]?.replace(option, "") || commandLine[at + 1]
  return format === "json" || format === "ndjson"
}

// The fields that `--fields` selects: paths like `id` or `company.name`. Pure.

/** Paths, in the requested order. */
export type Fields = ReadonlyArray<string>

/** Splits the option's value. Errors: usage, for an empty path. */
export const fieldsGiven = (text: string): Fields => {
  const fields = [...new Set(text.split(",").map((path) => path.trim()))]
  if (fields.every((path) => /^[^.]+(\.[^.]+)*$/.test(path))) return fields
  throw usageError(`--fields ${text} has an empty field name.`, "For example: --fields id,name")
}
