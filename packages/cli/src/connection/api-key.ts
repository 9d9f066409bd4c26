// Where a key comes from when it is given by hand: standard input or a hidden question, never the
// command line, where other users and the shell history could read it.

import { usageError } from "../errors/usage-error.ts"
import { canAsk, type Terminal } from "../terminal/terminal.ts"
import { readSecretInput } from "./secret-input.ts"

/** Source: spec 7, API key form. */
const API_KEY = /^sk_[0-9A-Za-z]{43}$/

/**
 * Asks on a terminal; without one reads standard input if `isFromStdin` says so.
 * Errors: usage, when there is neither or when what came is not a key; interrupted.
 */
export const readApiKey = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  const text = (await readText(terminal, isFromStdin)).trim()
  if (API_KEY.test(text)) return text
  throw usageError(
    `This is not an API key: expected sk_ and 43 letters or digits, got ${text.length} characters.`,
  )
}

const readText = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  if (canAsk(terminal)) {
    const { ask } = await import("../terminal/ask.tsx")
    return ask(terminal, { question: "API key", isHidden: true })
  }
  if (isFromStdin) return readSecretInput(terminal)
  throw usageError(
    "The API key cannot be asked for, because there is no terminal.",
    "Send it on standard input: footfall profiles create <name> --api-key-stdin < key.txt",
  )
}
