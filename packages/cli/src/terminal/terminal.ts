// The outside world of a command: its streams, its environment and the current time. Commands get it as a value, so
// that tests can replace it.

import { once } from "node:events"
import { stripVTControlCharacters } from "node:util"
import type { Pager } from "./pager.ts"

/** Where a command reads and writes. Results go to `stdout`, everything else to `stderr`. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Prints text for people. Output for programs uses `writeOut`. */
  readonly pager: Pager
  readonly environment: NodeJS.ProcessEnv
  readonly now: Date
  /** Called before Ctrl-C ends the process: last messages on standard error, and cleanup. */
  readonly atInterrupt: Set<() => void | Promise<void>>
  /** Screens being redrawn on standard error. Nothing else may be written between their lines. */
  readonly liveScreens: Set<object>
  /** Whether to print only results, questions and errors. */
  readonly isQuiet: boolean
  /** Sets the exit code for a command that ends without an error. */
  readonly endWith: (exitCode: number) => void
}

/** Width of a table that is not drawn on a terminal. */
const COLUMNS_WITHOUT_TERMINAL = 120

/** Width of the screen in columns. */
export const screenColumns = ({ stdout }: Terminal): number =>
  stdout.columns > 0 ? stdout.columns : COLUMNS_WITHOUT_TERMINAL

/** Whether we can ask a question: input and error output are terminals. */
export const canAsk = ({ stdin, stderr }: Terminal): boolean => stdin.isTTY && stderr.isTTY

/** Writes to standard output, and waits while it is full so that memory does not grow. */
export const writeOut = async ({ stdout }: Terminal, text: string | Uint8Array): Promise<void> => {
  if (!stdout.write(text)) await once(stdout, "drain")
}

/** The same for untrusted text: on a terminal, control characters are removed. */
export const writeSafe = (terminal: Terminal, text: string): Promise<void> =>
  writeOut(terminal, terminal.stdout.isTTY ? withoutControls(text) : text)

/** Keeps line breaks and tabs. */
export const withoutControls = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu, "")

/** Writes a note to standard error, unless --quiet is set. */
export const note = ({ isQuiet, stderr }: Terminal, text: string): void => {
  if (!isQuiet) stderr.write(`${text}\n`)
}

/** Returns a function that prints one warning per line, unless --quiet is set. */
export const warnOn =
  ({ isQuiet, stderr }: Terminal) =>
  (message: string): void => {
    if (!isQuiet) stderr.write(`warning: ${plainText(message)}\n`)
  }

/** One sentence per line, each safe to print; null leaves a line out. */
export const lines = (...sentences: ReadonlyArray<string | null>): string =>
  sentences
    .filter((sentence) => sentence !== null)
    .map((sentence) => `${plainText(sentence)}\n`)
    .join("")

/** The text on one line, without control characters and direction overrides. */
export const plainText = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu, "")
