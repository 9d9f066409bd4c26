// A JSON object given as a file, on standard input, or as the value itself.

import { unreadable, usageError } from "../errors/cli-error.ts"
import type { Terminal } from "./terminal.ts"

/**
 * The object. `noun` names it in errors, for example `rule`. Errors: usage, for invalid JSON, a value that is not an
 * object, or an unreadable file.
 */
export const givenJson = async (
  terminal: Terminal,
  given: string,
  noun: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const text = await givenText(terminal, given.trim())
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw usageError(`The ${noun} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value }
  throw usageError(`The ${noun} is not a JSON object.`)
}

const givenText = async ({ stdin }: Terminal, given: string): Promise<string> => {
  if (given.startsWith("{")) return given
  if (given === "-") {
    const { default: consumers } = await import("node:stream/consumers")
    return consumers.text(stdin)
  }
  try {
    const { default: files } = await import("node:fs/promises")
    return await files.readFile(given, "utf8")
  } catch (error) {
    throw unreadable(given, error)
  }
}
