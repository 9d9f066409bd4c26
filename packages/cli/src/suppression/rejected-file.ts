// FILE.rejected.csv: every invalid row of a file, with its line, the reason, and a message that names invisible
// characters. Written only if there are such rows; it replaces an older file of the same kind.

import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { rejectedHeader, rejectedText, type RejectedRow } from "@footfall/normal-form/reading"
import { usageError } from "../errors/cli-error.ts"

/** Older versions did not write messages. */
const headerStart = "line,type,value,reason"

const BUFFER_LENGTH = 64 * 1024

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

/** Has a temporary name until it is complete. */
export class RejectedFile {
  readonly #path: string
  readonly #draft: string
  #descriptor: number | null = null
  #text = ""
  #bytes = 0

  constructor(path: string) {
    this.#path = path
    this.#draft = `${path}.${process.pid}.part`
  }

  add(row: RejectedRow): void {
    if (this.#descriptor === null) {
      this.#descriptor = openSync(this.#draft, "w", 0o600)
      this.#text = rejectedHeader
    }
    this.#text += rejectedText(row)
    if (this.#text.length >= BUFFER_LENGTH) this.#flush()
  }

  /** Renames the file to its final name, or deletes an outdated one. Returns its length; 0 if there is none. */
  finish(): number {
    if (this.#descriptor === null) {
      rmSync(this.#path, { force: true })
      return 0
    }
    this.#flush()
    closeSync(this.#descriptor)
    this.#descriptor = null
    renameSync(this.#draft, this.#path)
    return this.#bytes
  }

  /** Deletes the file if it is not finished. */
  forget(): void {
    if (this.#descriptor === null) return
    closeSync(this.#descriptor)
    this.#descriptor = null
    rmSync(this.#draft, { force: true })
  }

  #flush(): void {
    if (this.#descriptor !== null)
      this.#bytes += writeFully(this.#descriptor, this.#text, this.#bytes)
    this.#text = ""
  }
}

/**
 * Appends rows after the first `bytes` of a finished file. Anything after that is from a killed run and is cut off.
 * Returns the new length.
 */
export const appendRejected = (
  path: string,
  bytes: number,
  rows: ReadonlyArray<RejectedRow>,
): number => {
  if (rows.length === 0) return bytes
  const descriptor = openSync(path, bytes === 0 ? "w" : "r+", 0o600)
  ftruncateSync(descriptor, bytes)
  const text = (bytes === 0 ? rejectedHeader : "") + rows.map(rejectedText).join("")
  const written = writeFully(descriptor, text, bytes)
  closeSync(descriptor)
  return bytes + written
}

const writeFully = (descriptor: number, text: string, position: number): number => {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) {
    at += writeSync(descriptor, bytes, at, bytes.length - at, position + at)
  }
  return bytes.length
}
