// Keys and passwords that are typed or piped in. They never come from the command line, where other users and the
// shell history can read them.

import { usageError } from "../errors/cli-error.ts"
import { canAsk, type Terminal } from "../terminal/terminal.ts"

/**
 * No key or password is longer. Longer input is a file sent by mistake, and is rejected without
 * reading the rest.
 */
const INPUT_LENGTH_MAX = 1024

/** All of standard input, without the final line break. Errors: usage, if it is too long. */
export const readSecretInput = async ({ stdin }: Terminal): Promise<string> => {
  let text = ""
  for await (const chunk of stdin.setEncoding("utf8")) {
    text += chunk
    if (text.length > INPUT_LENGTH_MAX) {
      throw usageError(
        `Standard input has more than ${INPUT_LENGTH_MAX} characters, too long for a key or a password.`,
      )
    }
  }
  return text.replace(/\r?\n$/, "")
}

/** Source: spec 7, API key form. */
const API_KEY = /^sk_[0-9A-Za-z]{43}$/

/**
 * Asks on a terminal; otherwise reads standard input if `isFromStdin`. Errors: usage, without either or if the text is
 * not a key; interrupted.
 */
export const readApiKey = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  const text = (await readText(terminal, isFromStdin)).trim()
  if (API_KEY.test(text)) return text
  throw usageError(
    `Invalid API key: expected sk_ and 43 letters or digits, got ${text.length} characters.`,
  )
}

const readText = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  if (canAsk(terminal)) {
    const { ask } = await import("../terminal/ask.tsx")
    return ask(terminal, { question: "API key", isHidden: true })
  }
  if (isFromStdin) return readSecretInput(terminal)
  throw usageError(
    "Can't prompt for the API key: this is not a terminal.",
    "Pass it on standard input: footfall profiles create <name> --api-key-stdin < key.txt",
  )
}
