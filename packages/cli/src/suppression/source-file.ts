// A file with rules as a stream of UTF-8: compressed or not, UTF-8 with or without a mark, UTF-16 of either byte
// order. Memory does not grow with the file.

import { createReadStream } from "node:fs"
import { Readable, pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { unreadable, usageError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** What a file is written in. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be"

/** A file that is open. */
export interface SourceFile {
  readonly encoding: Encoding
  readonly isCompressed: boolean
  /** The begin of the text, at most `HEAD_BYTES` and a chunk; whole when the file is no longer. */
  readonly head: Buffer
  readonly isHeadWhole: boolean
  /** The whole text as UTF-8, without a mark, its head included. To be read once. */
  readonly chunks: AsyncIterable<Buffer>
}

/** What is looked at to tell how a file is laid out. */
const HEAD_BYTES = 64 * 1024

/** Small, so that what is made of a chunk is garbage before the next collection: see small-heap.ts. */
const CHUNK_BYTES = 16 * 1024

/** `onBytes` hears of bytes as they are read. Errors: usage, for what is no text or cannot be read. */
export const openSource = async (
  terminal: Terminal,
  file: string,
  onBytes: (count: number) => void,
): Promise<SourceFile> => {
  const name = sourceName(file)
  const raw = file === "-" ? terminal.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const bytes = await Peeked.of(readable(counted(raw, onBytes), name), HEAD_BYTES)
  if (hasMagic(bytes.head, [0x50, 0x4b, 0x03, 0x04])) {
    throw usageError(`${name} is a ZIP archive or a workbook.`, "Save it as CSV.")
  }
  const isCompressed = hasMagic(bytes.head, [0x1f, 0x8b])
  const plain = isCompressed
    ? await Peeked.of(readable(gunzipped(bytes.all()), name), HEAD_BYTES)
    : bytes
  const encoding = encodingOf(plain.head)
  if (encoding === "utf-8" && plain.head.subarray(0, HEAD_BYTES).includes(0)) {
    throw usageError(`${name} is not a text file.`)
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

/** A file as people know it. */
export const sourceName = (file: string): string => (file === "-" ? "standard input" : file)

/** A stream of which the first bytes are known before it is read. */
class Peeked {
  readonly head: Buffer
  /** Whether there is nothing behind the head. */
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
  // A failure ends the stream with its error, which the reader gets.
  pipeline(Readable.from(source), createGunzip({ chunkSize: CHUNK_BYTES }), () => {})

/** Errors of the file itself are usage errors. */
async function* readable(
  source: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* source
  } catch (error) {
    throw unreadable(name, error)
  }
}

const hasMagic = (bytes: Buffer, magic: ReadonlyArray<number>): boolean =>
  magic.every((byte, index) => bytes[index] === byte)

/** By its mark; without one by where the zeros are that UTF-16 has in every second place of Latin text. */
const encodingOf = (head: Buffer): Encoding => {
  if (hasMagic(head, [0xff, 0xfe])) return "utf-16le"
  if (hasMagic(head, [0xfe, 0xff])) return "utf-16be"
  const sample = head.subarray(0, 512)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1
  const [even = 0, odd = 0] = zeros
  const enough = sample.length * 0.3
  if (odd > enough && even === 0) return "utf-16le"
  return even > enough && odd === 0 ? "utf-16be" : "utf-8"
}

async function* toUtf8(
  source: AsyncIterable<Buffer>,
  encoding: Encoding,
): AsyncGenerator<Buffer, void, undefined> {
  if (encoding === "utf-8") {
    let isFirst = true
    for await (const chunk of source) {
      yield isFirst && hasMagic(chunk, [0xef, 0xbb, 0xbf]) ? chunk.subarray(3) : chunk
      isFirst = false
    }
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}
