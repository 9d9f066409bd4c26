// Where a key comes from when it is given by hand: standard input or a hidden question, never the
// command line, where other users and the shell history could read it.

import { usageError } from "../errors/usage-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** Source: decisions.md 7, API key form. */
const API_KEY = /^sk_[0-9A-Za-z]{43}$/

/** No key is longer; a whole file sent by mistake is refused instead of read. */
const INPUT_LENGTH_MAX = 1024

/**
 * Asks on a terminal; without one reads standard input if `isFromStdin` says so.
 * Errors: usage, when there is neither or when what came is not a key; interrupted.
 */
export const readApiKey = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  const text = await readText(terminal, isFromStdin)
  if (API_KEY.test(text)) return text
  throw usageError(
    `This is not an API key: expected sk_ and 43 letters or digits, got ${text.length} characters.`,
  )
}

const readText = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  if (terminal.stdin.isTTY && terminal.stderr.isTTY) {
    const { askSecret } = await import("../terminal/ask-secret.tsx")
    return askSecret(terminal, "API key")
  }
  if (isFromStdin) return readInput(terminal)
  throw usageError(
    "The API key cannot be asked for, because there is no terminal.",
    "Send it on standard input: footfall profile add <name> --api-key-stdin < key.txt",
  )
}

const readInput = async ({ stdin }: Terminal): Promise<string> => {
  let text = ""
  for await (const chunk of stdin.setEncoding("utf8")) {
    text += chunk
    if (text.length > INPUT_LENGTH_MAX) {
      throw usageError(`Standard input holds more than ${INPUT_LENGTH_MAX} characters: not a key.`)
    }
  }
  return text.trim()
}
