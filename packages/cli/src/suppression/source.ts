// A file that a command sends as it is, or standard input. Read in chunks, so memory does not grow with it.

import { accessSync, constants, createReadStream, statSync, type Stats } from "node:fs"
import { unreadable, usageError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** What to send. */
export interface Source {
  /** As the user gave it; `-` is standard input. */
  readonly file: string
  /** In bytes; null for standard input and pipes, which can be read only once. */
  readonly size: number | null
  /** From the start. Errors: usage, if the file can't be read. */
  readonly read: () => AsyncIterable<Buffer>
}

/** How people call the file. */
export const sourceName = (file: string): string => (file === "-" ? "standard input" : file)

/** Errors: usage, for a file that does not exist or can't be read. */
export const sourceOf = (terminal: Terminal, file: string): Source => {
  if (file === "-") return { file, size: null, read: () => chunksOf(terminal.stdin, file) }
  const stats = statsOf(file)
  if (stats.isDirectory()) throw usageError(`${file} is a folder.`)
  return {
    file,
    size: stats.isFile() ? stats.size : null,
    read: () => chunksOf(createReadStream(file), file),
  }
}

const statsOf = (file: string): Stats => {
  try {
    accessSync(file, constants.R_OK)
    return statSync(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** Errors of the stream are usage errors. */
export async function* chunksOf(
  stream: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* stream
  } catch (error) {
    throw unreadable(sourceName(file), error)
  }
}
