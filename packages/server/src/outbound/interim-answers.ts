// `100 Continue` before an answer is no answer (RFC 9110, 15.2), but undici takes it for a broken one and
// ends the connection. Its status is read as 102 here, which undici passes over like every other 1xx. Nothing
// but the digit is touched, and only in heads that come before the answer.

/** What undici's connection uses of a socket. */
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

/** `x`: any character. The status is where the digits are. */
const statusLine = "HTTP/1.x 1dd"
const secondDigit = statusLine.indexOf("dd")
const [zero, two, lineFeed, carriageReturn] = [0x30, 0x32, 0x0a, 0x0d]

/** Reads the heads that follow a request byte by byte, whatever pieces they come in, up to the answer. */
export class InterimHeads {
  /** Characters of the status line so far; null: the answer has begun, and is let through. */
  #matched: number | null = null
  #isTens = false
  /** Whether a line of the head is empty so far. */
  #isLineEmpty = false

  /** A request was written: what comes next is a head. */
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
