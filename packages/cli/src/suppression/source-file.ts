// A file of rules as a UTF-8 stream. The file may be compressed, and may be UTF-8 with or without a byte order mark, or
// UTF-16 in either byte order. Memory does not grow with the file.

import { closeSync, createReadStream, fstatSync, openSync } from "node:fs"
import { Readable, pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import {
  type Encoding,
  encodingOf,
  fileKind,
  hasUtf8Mark,
  HEAD_BYTES,
} from "@footfall/normal-form/reading"
import { codeOf, unreadable, usageError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** An open file. */
export interface SourceFile {
  readonly encoding: Encoding
  readonly isCompressed: boolean
  /** The start of the text, at most `HEAD_BYTES` and a chunk; the whole text if the file is not longer. */
  readonly head: Buffer
  readonly isHeadWhole: boolean
  /** The whole text as UTF-8, without a byte order mark, including the head. Can be read once. */
  readonly chunks: AsyncIterable<Buffer>
}

/** Small, so that data from a chunk is garbage before the next collection: see small-heap.ts. */
const CHUNK_BYTES = 16 * 1024

/** Calls `onBytes` as it reads bytes. Errors: usage, for a file that is not text or cannot be read. */
export const openSource = async (
  terminal: Terminal,
  file: string,
  onBytes: (count: number) => void,
): Promise<SourceFile> => {
  const name = sourceName(file)
  const raw = file === "-" ? terminal.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const bytes = await Peeked.of(readable(counted(raw, onBytes), name), HEAD_BYTES)
  const kind = fileKind(bytes.head)
  if (kind === "zip") {
    throw usageError(`${name} is a ZIP archive or a workbook.`, "Save it as CSV.")
  }
  const isCompressed = kind === "gzip"
  const plain = isCompressed
    ? await Peeked.of(readable(gunzipped(bytes.all()), name), HEAD_BYTES)
    : bytes
  const encoding = encodingOf(plain.head)
  if (encoding === null) {
    throw usageError(`${name} is not a text file in UTF-8 or UTF-16.`, "Save it as CSV in UTF-8.")
  }
  const text = await Peeked.of(toUtf8(plain.all(), encoding), HEAD_BYTES)
  return {
    encoding,
    isCompressed,
    head: text.head,
    isHeadWhole: text.isWhole,
    chunks: text.all(),
  }
}

/** The name of a file for people. */
export const sourceName = (file: string): string => (file === "-" ? "standard input" : file)

/** A stream whose first bytes can be inspected before it is read. */
class Peeked {
  readonly head: Buffer
  /** Whether the head is everything. */
  readonly isWhole: boolean
  readonly #rest: AsyncIterator<Buffer>

  private constructor(head: Buffer, isWhole: boolean, rest: AsyncIterator<Buffer>) {
    this.head = head
    this.isWhole = isWhole
    this.#rest = rest
  }

  static async of(source: AsyncIterable<Buffer>, bytesMin: number): Promise<Peeked> {
    const rest = source[Symbol.asyncIterator]()
    const chunks: Array<Buffer> = []
    let length = 0
    while (length < bytesMin) {
      const next = await rest.next()
      if (next.done) return new Peeked(Buffer.concat(chunks), true, rest)
      chunks.push(next.value)
      length += next.value.length
    }
    return new Peeked(Buffer.concat(chunks), false, rest)
  }

  async *all(): AsyncGenerator<Buffer, void, undefined> {
    yield this.head
    for (;;) {
      const next = await this.#rest.next()
      if (next.done) return
      yield next.value
    }
  }
}

async function* counted(
  source: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source) {
    onBytes(chunk.length)
    yield chunk
  }
}

const gunzipped = (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  // An error ends the stream and is thrown to its reader.
  pipeline(Readable.from(source), createGunzip({ chunkSize: CHUNK_BYTES }), () => {})

const gzipDamages: ReadonlyMap<string, string> = new Map([
  ["Z_BUF_ERROR", "ends in the middle of its gzip data"],
  ["Z_DATA_ERROR", "has damaged gzip data"],
])

/** Errors: usage, for a file that does not exist or cannot be read. */
export const requireReadable = (file: string): void => {
  try {
    const descriptor = openSync(file, "r")
    const isFolder = fstatSync(descriptor).isDirectory()
    closeSync(descriptor)
    if (!isFolder) return
  } catch (error) {
    throw unreadable(file, error)
  }
  throw usageError(`${file} is a folder.`)
}

/** Errors of the file are usage errors. */
async function* readable(
  source: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* source
  } catch (error) {
    const damage = gzipDamages.get(codeOf(error))
    if (damage !== undefined) throw usageError(`${name} ${damage}.`, "Create the file again.")
    throw unreadable(name, error)
  }
}

async function* toUtf8(
  source: AsyncIterable<Buffer>,
  encoding: Encoding,
): AsyncGenerator<Buffer, void, undefined> {
  if (encoding === "utf-8") {
    let isFirst = true
    for await (const chunk of source) {
      yield isFirst && hasUtf8Mark(chunk) ? chunk.subarray(3) : chunk
      isFirst = false
    }
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}
