// Rules on the disk between reading and sending: a line each, in normal form, each rule once, with the
// place it came from. A line is a JSON array, because an industry may hold any character.

import type { SuppressionRuleInput, SuppressionRuleType } from "@footfall/sdk"
import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"

/** A rule, and where it stands in the files that were read. */
export interface SpooledRule extends SuppressionRuleInput {
  /** Index of the file. */
  readonly file: number
  readonly line: number
}

/** A rule that was read back, and the place in the spool right behind it. */
export interface RuleRead extends SpooledRule {
  readonly endByte: number
}

const BUFFER_LENGTH = 64 * 1024

/** Grows at its end only. */
export class SpoolWriter {
  readonly #descriptor: number
  #text = ""

  /** Begins anew. Only its owner can read it: it holds addresses. */
  constructor(path: string) {
    this.#descriptor = openSync(path, "w", 0o600)
  }

  add({ type, value, file, line }: SpooledRule): void {
    this.#text += `${JSON.stringify([type, value, file, line])}\n`
    if (this.#text.length >= BUFFER_LENGTH) this.#flush()
  }

  /** Brings all of it to the disk. */
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

/** The rules from a byte on, which is 0 or the `endByte` of one. */
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
      // Only this file writes them.
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
