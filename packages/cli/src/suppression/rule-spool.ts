// Rules on disk between reading and sending: one line per rule, normalized, without duplicates, with its position in
// the file. A line is a JSON array, because an industry may contain any character.

import { closeSync, createReadStream, fsyncSync, openSync, rmSync, writeSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
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

const BUFFER_LENGTH = 64 * 1024

/** Only appends. */
export class SpoolWriter {
  readonly #descriptor: number
  #text = ""

  /** Starts an empty file. Only the owner can read it, because it contains addresses. */
  constructor(path: string) {
    this.#descriptor = openSync(path, "w", 0o600)
  }

  add({ type, value, file, line }: SpooledRule): void {
    this.#text += `${JSON.stringify([type, value, file, line])}\n`
    if (this.#text.length >= BUFFER_LENGTH) this.#flush()
  }

  /** Flushes everything to disk. */
  close(): void {
    this.#flush()
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at)
    this.#text = ""
  }
}

/** The rules from a byte on, which is 0 or the `endByte` of a rule. */
export async function* spooledRules(
  path: string,
  beginByte = 0,
): AsyncGenerator<RuleRead, void, undefined> {
  const decoder = new StringDecoder("utf8")
  let rest = ""
  let endByte = beginByte
  for await (const chunk of createReadStream(path, { start: beginByte })) {
    const lines = (rest + decoder.write(chunk)).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      endByte += Buffer.byteLength(line) + 1
      // Only this module writes these lines.
      const [type, value, file, at] = JSON.parse(line) as [
        SuppressionRuleType,
        string,
        number,
        number,
      ]
      yield { type, value, file, line: at, endByte }
    }
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
