// A UUID that follows from a text, so that a repeat gets the same one.
import { hash } from "node:crypto"

/** A version 8 UUID (RFC 9562). */
export const hashedId = (text: string): string => {
  const hex = hash("sha256", text)
  const variant = (0x8 | (Number.parseInt(hex[16]!, 16) & 0x3)).toString(16)
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return parts.join("-")
}
