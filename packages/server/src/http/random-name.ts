// Names that no one can guess: a prefix and 26 random characters of `0-9a-z`, 134 bits. Bytes are drawn in
// blocks because a system call per request is dearer than the rest of its id.
import { randomFillSync } from "node:crypto"

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
const length = 26
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

export const randomName = (prefix: string): string => {
  let name = prefix
  while (name.length < prefix.length + length) {
    const byte = nextByte()
    if (byte < bytesUsed) name += alphabet[byte % alphabet.length]!
  }
  return name
}
