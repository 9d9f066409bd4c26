// A secret on standard input.

import { usageError } from "../errors/usage-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** No key or password is longer; a whole file sent by mistake is refused instead of read. */
const INPUT_LENGTH_MAX = 1024

/** All of standard input, without the line break at its end. Errors: usage, when it is too long. */
export const readSecretInput = async ({ stdin }: Terminal): Promise<string> => {
  let text = ""
  for await (const chunk of stdin.setEncoding("utf8")) {
    text += chunk
    if (text.length > INPUT_LENGTH_MAX) {
      throw usageError(
        `Standard input holds more than ${INPUT_LENGTH_MAX} characters: neither a key nor a password.`,
      )
    }
  }
  return text.replace(/\r?\n$/, "")
}
