// Warnings: on standard error, because standard output carries the result and nothing else.

import { plainText } from "./plain-text.ts"
import type { Terminal } from "./terminal.ts"

/** A function that prints one warning a line. */
export const warnOn =
  ({ stderr }: Terminal) =>
  (message: string): void => {
    stderr.write(`warning: ${plainText(message)}\n`)
  }
