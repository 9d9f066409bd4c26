// A query of the `pg` client that collects the output of COPY … TO STDOUT in CSV format. Each row arrives as a separate
// message, so its end is known without scanning its bytes, and line feeds become the CR LF of RFC 4180 on the way.
// pg-copy-streams joins the messages, and finding the ends again, with quotes, costs more than everything else (200,000
// rows: 1.9 s instead of 1.2 s).
import type pg from "pg"

/** Lines of CSV; each is one row. */
export interface CsvRows {
  readonly bytes: Uint8Array
  readonly rows: number
}

/** Units: bytes. */
const firstLength = 524_288

/** Calls `done` once, with the result or the error that ended it. */
export class CopiedRows implements pg.Submittable {
  readonly #statement: string
  readonly #done: (outcome: CsvRows | Error) => void
  #bytes = Buffer.allocUnsafe(firstLength)
  #length = 0
  #rows = 0

  constructor(statement: string, done: (outcome: CsvRows | Error) => void) {
    this.#statement = statement
    this.#done = done
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#statement)
  }

  /** `chunk` is a view of the client's read buffer, so it is copied at once. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const end = this.#length + chunk.length + 1
    if (end > this.#bytes.length) this.#grow(end)
    chunk.copy(this.#bytes, this.#length, 0, chunk.length - 1)
    this.#bytes[end - 2] = 0x0d
    this.#bytes[end - 1] = 0x0a
    this.#length = end
    this.#rows += 1
  }

  handleError(error: Error): void {
    this.#done(error)
  }

  handleCommandComplete(): void {}

  /** Also called after an error, which has been reported by then. */
  handleReadyForQuery(): void {
    this.#done({ bytes: this.#bytes.subarray(0, this.#length), rows: this.#rows })
  }

  #grow(length: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length))
    this.#bytes.copy(bytes, 0, 0, this.#length)
    this.#bytes = bytes
  }
}
