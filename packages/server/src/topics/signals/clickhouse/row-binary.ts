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

  text(): string {
    const length = this.#length()
    this.#at += length
    return this.#bytes.toString("latin1", this.#at - length, this.#at)
  }

  integers(): Int32Array {
    const length = this.#length()
    const from = this.#at
    this.#at += 4 * length
    // A copy, because typed arrays must be aligned.
    return new Int32Array(new Uint8Array(this.#bytes.subarray(from, this.#at)).buffer)
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
  let left = people.length
  for (; left >= 128; left = Math.floor(left / 128)) at = head.writeUInt8((left & 127) | 128, at)
  at = head.writeUInt8(left, at)
  return Buffer.concat([
    head.subarray(0, at),
    new Uint8Array(people.buffer, people.byteOffset, people.byteLength),
  ])
}
