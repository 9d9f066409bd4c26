// Request ids: `req_` and 26 random characters of `0-9a-z`, 134 bits (decisions.md 1.3). The only
// place in this room that asks for randomness; bytes are drawn in blocks because a system call
// per request is dearer than the rest of the id.
import { randomFillSync } from "node:crypto"

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
/** 252 is the largest multiple of 36 in a byte: from there on bytes are skipped, so none is favoured. */
const bytesUsed = 252
const pool = new Uint8Array(4096)
let position = pool.length

const nextByte = (): number => {
  if (position === pool.length) {
    randomFillSync(pool)
    position = 0
  }
  return pool[position++]!
}

export const makeRequestId = (): string => {
  let id = "req_"
  while (id.length < 30) {
    const byte = nextByte()
    if (byte < bytesUsed) id += alphabet[byte % 36]!
  }
  return id
}
