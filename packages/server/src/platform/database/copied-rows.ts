// A query for the `pg` client that collects the output of COPY … TO STDOUT in CSV format. Each row arrives as a
// separate message, so its end is known without scanning its bytes, and its line feed is replaced by the CR LF of RFC
// 4180. This class reads the rows instead of `pg`, which creates an object for each and copies all bytes again:
// collecting that garbage took nearly half of the server's time. `pg` still reads every other message.
import type pg from "pg"

/** Lines of CSV; each is one row. */
export interface CsvRows {
  readonly bytes: Uint8Array
  readonly rows: number
}

/** In bytes. */
const firstLength = 524_288

/**
 * A message begins with a byte for its type and the length of the rest
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 */
const headLength = 5
const messages = { copyData: 0x64, readyForQuery: 0x5a }

type Listener = (chunk: Buffer) => void

/** Calls `done` once, with the result or the error that ended it. */
export class CopiedRows implements pg.Submittable {
  readonly #statement: string
  readonly #done: (outcome: CsvRows | Error) => void
  #bytes = Buffer.allocUnsafe(firstLength)
  #length = 0
  #rows = 0
  /** The head of the current message, as far as it has arrived, and how much of its body is missing. */
  readonly #head = Buffer.alloc(headLength)
  #headLength = 0
  #missing = 0

  constructor(statement: string, done: (outcome: CsvRows | Error) => void) {
    this.#statement = statement
    this.#done = done
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection
    // `pg` has only this kind of listener.
    const others = stream.listeners("data") as ReadonlyArray<unknown> as ReadonlyArray<Listener>
    const forward: Listener = (chunk) => others.forEach((listener) => listener(chunk))
    const read: Listener = (chunk) => {
      const rest = this.#read(chunk, forward)
      if (rest === undefined) return
      stream.off("data", read)
      others.forEach((listener) => stream.on("data", listener))
      forward(rest)
    }
    stream.on("data", read)
    others.forEach((listener) => stream.off("data", listener))
    connection.query(this.#statement)
  }

  handleError(error: Error): void {
    this.#done(error)
  }

  handleCommandComplete(): void {}

  /** Also called after an error, which has been reported by then. */
  handleReadyForQuery(): void {
    this.#done({ bytes: this.#bytes.subarray(0, this.#length), rows: this.#rows })
  }

  /** Returns the bytes left for `pg` once the statement has ended, starting with the message that says so. */
  #read(chunk: Buffer, forward: Listener): Buffer | undefined {
    let at = 0
    while (at < chunk.length) {
      if (this.#headLength < headLength) {
        const taken = chunk.copy(
          this.#head,
          this.#headLength,
          at,
          at + headLength - this.#headLength,
        )
        this.#headLength += taken
        at += taken
        if (this.#headLength < headLength) return undefined
        this.#missing = this.#head.readInt32BE(1) - (headLength - 1)
        if (this.#head[0] === messages.readyForQuery)
          return Buffer.concat([this.#head, chunk.subarray(at)])
        if (this.#head[0] !== messages.copyData) forward(Buffer.from(this.#head))
      }
      const end = Math.min(at + this.#missing, chunk.length)
      if (this.#head[0] === messages.copyData) this.#add(chunk, at, end)
      else if (end > at) forward(chunk.subarray(at, end))
      this.#missing -= end - at
      at = end
      if (this.#missing > 0) return undefined
      this.#headLength = 0
      if (this.#head[0] === messages.copyData) this.#endRow()
    }
    return undefined
  }

  /** `chunk` belongs to the socket, so its bytes are copied. */
  #add(chunk: Buffer, from: number, to: number): void {
    // One more byte, for CR LF in place of LF.
    const length = this.#length + to - from + 1
    if (length > this.#bytes.length) this.#grow(length)
    chunk.copy(this.#bytes, this.#length, from, to)
    this.#length += to - from
  }

  #endRow(): void {
    this.#bytes[this.#length - 1] = 0x0d
    this.#bytes[this.#length] = 0x0a
    this.#length += 1
    this.#rows += 1
  }

  #grow(length: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length))
    this.#bytes.copy(bytes, 0, 0, this.#length)
    this.#bytes = bytes
  }
}
