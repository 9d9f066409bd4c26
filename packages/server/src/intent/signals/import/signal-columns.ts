// The signals of one import step, in columns and in the order of the stream. One object per signal would cost more
// than everything else.
import { endianness } from "node:os"

/** Each step has twice as many signals as the one before, so that Postgres soon has work while the rest is read. */
export const firstColumns = 8_192

/** The most signals of a step. */
export const columnsMax = 65_536

/** Eight 32-bit numbers form one SHA-256, big-endian. */
export const hashWords = 8

const isLittleEndian = endianness() === "LE"

export class SignalColumns {
  readonly topicIds = new Int32Array(columnsMax)
  readonly hashes = new Int32Array(columnsMax * hashWords)
  readonly scores = new Uint8Array(columnsMax)
  /** Places in the import's list of dates. */
  readonly dates = new Uint16Array(columnsMax)
  /** Numbers of the data rows, from 1. */
  readonly numbers = new Float64Array(columnsMax)
  length = 0

  add(signal: {
    readonly topicId: number
    readonly emailHash: string
    readonly score: number
    readonly date: number
    readonly number: number
  }): void {
    const row = this.length++
    this.topicIds[row] = signal.topicId
    this.scores[row] = signal.score
    this.dates[row] = signal.date
    this.numbers[row] = signal.number
    for (let word = 0; word < hashWords; word++) {
      const digits = signal.emailHash.slice(word * 8, word * 8 + 8)
      this.hashes[row * hashWords + word] = Number.parseInt(digits, 16)
    }
  }

  /** The hashes of these rows as bytes, 32 each. */
  bytesOf(rows: Int32Array): Buffer {
    const words = new Int32Array(rows.length * hashWords)
    for (let place = 0; place < rows.length; place++) {
      for (let word = 0; word < hashWords; word++) {
        words[place * hashWords + word] = this.hashes[rows[place]! * hashWords + word]!
      }
    }
    const bytes = Buffer.from(words.buffer)
    return isLittleEndian ? bytes.swap32() : bytes
  }
}
