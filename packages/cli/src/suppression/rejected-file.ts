// FILE.rejected.csv: the invalid rows of a file as the server lists them, with their lines and reasons. Written only if
// there are such rows; it replaces an older file of the same kind.

import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { usageError } from "../errors/cli-error.ts"
import { removeDeadDrafts } from "../profiles/file-lock.ts"

/** Older versions did not write messages. */
const headerStart = "line,type,value,reason"

/** Errors: usage, if the existing file is not a file of rejected rows. */
export const checkRejectedFile = (path: string): void => {
  if (!existsSync(path)) return
  const descriptor = openSync(path, "r")
  const bytes = Buffer.alloc(headerStart.length)
  const length = readSync(descriptor, bytes, 0, bytes.length, 0)
  closeSync(descriptor)
  if (length > 0 && bytes.toString("utf8", 0, length) !== headerStart) {
    throw usageError(
      `File already exists: ${path} (it does not hold rejected rows)`,
      "Choose another file with --rejected.",
    )
  }
}

/** Replaces the file as a whole; without rows, deletes it. Only the owner can read it, because it contains addresses. */
export const writeRejectedFile = async (
  path: string,
  rows: AsyncIterable<Uint8Array> | null,
): Promise<void> => {
  removeDeadDrafts(path)
  if (rows === null) return rmSync(path, { force: true })
  const draft = `${path}.${process.pid}.part`
  const forget = (): void => rmSync(draft, { force: true })
  // Ctrl-C ends the process during the work.
  process.once("exit", forget)
  try {
    await writeFile(draft, rows, { mode: 0o600 })
    renameSync(draft, path)
  } finally {
    process.off("exit", forget)
    forget()
  }
}
