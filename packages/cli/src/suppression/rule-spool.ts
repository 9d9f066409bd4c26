// Rules on disk between reading and sending: one line per rule, normalized, without duplicates, with its position in
// the file. A line is a JSON array, because an industry may contain any character.

import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import type { SuppressionRuleInput, SuppressionRuleType } from "@footfall/sdk"
import { makeTemporaryFolder } from "../profiles/file-lock.ts"

/** A rule and its position in the files. */
export interface SpooledRule extends SuppressionRuleInput {
  /** Index of the file. */
  readonly file: number
  readonly line: number
}

/** A rule read from the spool, and where the next one starts. */
export interface RuleRead extends SpooledRule {
  readonly endByte: number
}

/** A line is much shorter: a value has at most 320 characters. */
const BUFFER_LENGTH = 64 * 1024

const NEWLINE = 0x0a

/** Only appends. */
export class SpoolWriter {
  readonly #descriptor: number
  // Bytes instead of text: the pieces of a long text would outlive the young generation.
  readonly #buffer = Buffer.allocUnsafe(BUFFER_LENGTH)
  #length = 0

  /** Starts an empty file. Only the owner can read it, because it contains addresses. */
  constructor(path: string) {
    this.#descriptor = openSync(path, "w", 0o600)
  }

  add({ type, value, file, line }: SpooledRule): void {
    const text = `["${type}",${JSON.stringify(value)},${file},${line}]\n`
    if (this.#length + 3 * text.length > BUFFER_LENGTH) this.#flush()
    this.#length += this.#buffer.write(text, this.#length)
  }

  /** Flushes everything to disk. */
  close(): void {
    this.#flush()
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
  }

  #flush(): void {
    for (let at = 0; at < this.#length;) {
      at += writeSync(this.#descriptor, this.#buffer, at, this.#length - at)
    }
    this.#length = 0
  }
}

/**
 * The rules from a byte on, which is 0 or the `endByte` of a rule. Reads without a pause, because waiting for each rule
 * would take longer than reading it.
 */
export function* spooledRules(path: string, beginByte = 0): Generator<RuleRead, void, undefined> {
  const descriptor = openSync(path, "r")
  try {
    const chunk = Buffer.allocUnsafe(BUFFER_LENGTH)
    /** Bytes of an unfinished line at the start of the chunk. */
    let carried = 0
    let endByte = beginByte
    for (let at = beginByte; ;) {
      const length = readSync(descriptor, chunk, carried, BUFFER_LENGTH - carried, at)
      if (length === 0) return
      at += length
      const bytes = chunk.subarray(0, carried + length)
      const end = bytes.lastIndexOf(NEWLINE) + 1
      for (const line of bytes.toString("utf8", 0, end).split("\n")) {
        if (line === "") continue
        endByte += Buffer.byteLength(line) + 1
        // Only this module writes these lines.
        const [type, value, file, ofFile] = JSON.parse(line) as [
          SuppressionRuleType,
          string,
          number,
          number,
        ]
        yield { type, value, file, line: ofFile, endByte }
      }
      carried = bytes.copy(chunk, 0, end)
      if (carried === BUFFER_LENGTH) throw new Error(`${path} has a line that is too long.`)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Deletes the folder when the work ends, even with Ctrl-C. After kill -9, the next such command deletes it. */
export const withTemporaryFolder = async <Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = makeTemporaryFolder(name)
  const forget = (): void => rmSync(folder, { recursive: true, force: true })
  process.once("exit", forget)
  try {
    return await work(folder)
  } finally {
    process.off("exit", forget)
    forget()
  }
}
