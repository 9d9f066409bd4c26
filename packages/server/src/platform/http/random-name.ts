// Unguessable names: a prefix and 26 random characters of `0-9a-z`, 134 bits. Random bytes are read in blocks, because
// one system call per request costs more than everything else about its id.
import { randomFillSync } from "node:crypto"

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
const length = 26
/** The largest multiple of 36 in a byte; larger bytes are skipped, so no character is more likely than another. */
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
