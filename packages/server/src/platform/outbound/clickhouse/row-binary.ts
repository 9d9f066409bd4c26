// ClickHouse's RowBinary format: little-endian numbers, texts and lists preceded by their length.

/** Reads values one after another. */
export class RowBinary {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get hasMore(): boolean {
    return this.#at < this.#bytes.length
  }

  byte(): number {
    return this.#bytes[this.#at++]!
  }

  integer(): number {
    this.#at += 4
    return this.#bytes.readUInt32LE(this.#at - 4)
  }

  count(): number {
    this.#at += 8
    return Number(this.#bytes.readBigUInt64LE(this.#at - 8))
  }

  /** For ids, dates and numbers; faster than `utf8`. */
  text(): string {
    return this.#string("latin1")
  }

  utf8(): string {
    return this.#string("utf8")
  }

  integers(): Int32Array {
    const length = this.#length()
    const from = this.#at
    this.#at += 4 * length
    // A copy, because typed arrays must be aligned.
    return new Int32Array(new Uint8Array(this.#bytes.subarray(from, this.#at)).buffer)
  }

  #string(encoding: "latin1" | "utf8"): string {
    const length = this.#length()
    this.#at += length
    return this.#bytes.toString(encoding, this.#at - length, this.#at)
  }

  #length(): number {
    let length = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte()
      length += (byte & 127) * factor
      if (byte < 128) return length
    }
  }
}

/** A row with a topic, a score and people. */
export const blockRow = (topicId: number, score: number, people: Int32Array): Buffer => {
  const head = Buffer.alloc(15)
  let at = head.writeUInt32LE(topicId, 0)
  at = head.writeUInt8(score, at)
  at = writeLength(head, people.length, at)
  return Buffer.concat([
    head.subarray(0, at),
    new Uint8Array(people.buffer, people.byteOffset, people.byteLength),
  ])
}

/** At most 10 bytes. Returns where it ends. */
const writeLength = (bytes: Buffer, length: number, from: number): number => {
  let at = from
  let left = length
  for (; left >= 128; left = Math.floor(left / 128)) at = bytes.writeUInt8((left & 127) | 128, at)
  return bytes.writeUInt8(left, at)
}

/** Writes values one after another. */
export class RowWriter {
  #bytes = Buffer.alloc(65_536)
  #at = 0

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }

  text(value: string): void {
    const length = Buffer.byteLength(value)
    this.#reserve(10 + length)
    this.#at = writeLength(this.#bytes, length, this.#at)
    this.#at += this.#bytes.write(value, this.#at)
  }

  /** For a column of type `Nullable(String)`. */
  nullableText(value: string | null): void {
    this.#reserve(1)
    this.#at = this.#bytes.writeUInt8(value === null ? 1 : 0, this.#at)
    if (value !== null) this.text(value)
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return
    const larger = Buffer.alloc(2 * (this.#at + length))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}
