// A `100 Continue` precedes the response (RFC 9110, 15.2), but undici treats it as a broken response and closes the
// connection. This rewrites its status to 102, which undici skips like any other 1xx. It changes only that digit, and
// only before the final response.

/** The parts of a socket that undici's connection uses. */
interface Speaking {
  read(size?: number): Uint8Array | null
  write(chunk: Uint8Array | string, ...more: Array<never>): boolean
}

export const passOverContinue = <S extends Speaking>(socket: S): S => {
  const { read, write } = socket
  const heads = new InterimHeads()
  socket.read = (size) => {
    const chunk = read.call(socket, size)
    if (chunk !== null) heads.pass(chunk)
    return chunk
  }
  socket.write = (chunk, ...more) => {
    heads.expect()
    return write.call(socket, chunk, ...more)
  }
  return socket
}

/** `x` is any character; the `d`s are the digits of the status. */
const statusLine = "HTTP/1.x 1dd"
const secondDigit = statusLine.indexOf("dd")
const [zero, two, lineFeed, carriageReturn] = [0x30, 0x32, 0x0a, 0x0d]

/** Reads interim responses byte by byte, however they are split, until the final response starts. */
export class InterimHeads {
  /**
   * Characters of the status line read so far; null once the final response has started and everything passes through.
   */
  #matched: number | null = null
  #isTens = false
  /** Whether the current header line is empty so far. */
  #isLineEmpty = false

  /** A request was sent, so a status line comes next. */
  expect(): void {
    this.#matched ??= 0
  }

  pass(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#matched !== null; at++) {
      if (this.#matched < statusLine.length) this.#readStatus(chunk, at)
      else this.#skip(chunk[at]!)
    }
  }

  #readStatus(chunk: Uint8Array, at: number): void {
    const byte = chunk[at]!
    const place = this.#matched!
    const expected = statusLine[place]!
    const isDigit = byte >= zero && byte <= zero + 9
    const isMatch =
      expected === "x" || (expected === "d" ? isDigit : byte === expected.charCodeAt(0))
    if (!isMatch) return void (this.#matched = null)
    this.#matched = place + 1
    if (place === secondDigit) this.#isTens = byte !== zero
    if (place > secondDigit && byte === zero && !this.#isTens) chunk[at] = two
    this.#isLineEmpty = false
  }

  #skip(byte: number): void {
    if (byte !== lineFeed) {
      if (byte !== carriageReturn) this.#isLineEmpty = false
    } else if (this.#isLineEmpty) this.#matched = 0
    else this.#isLineEmpty = true
  }
}
