// Detects from the first bytes of a file whether it's compressed or an archive, and its text encoding. Pure.

/** Encoding of a text. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be"

/** How many bytes to inspect to detect the layout of a file. */
export const HEAD_BYTES = 64 * 1024

/** A workbook is also `zip`. */
export const fileKind = (head: Uint8Array): "zip" | "gzip" | "plain" => {
  if (hasMagic(head, [0x50, 0x4b, 0x03, 0x04])) return "zip"
  return hasMagic(head, [0x1f, 0x8b]) ? "gzip" : "plain"
}

/** Null if it isn't text, or is text in UTF-32. */
export const encodingOf = (head: Uint8Array): Encoding | null => {
  // Before the mark of UTF-16, with which it begins.
  if (hasMagic(head, [0xff, 0xfe, 0, 0])) return null
  const encoding = likelyEncoding(head)
  return encoding === "utf-8" && head.subarray(0, HEAD_BYTES).includes(0) ? null : encoding
}

/** Uses the byte order mark. Without one, it looks for the zeros that UTF-16 has in every second byte of Latin text. */
const likelyEncoding = (head: Uint8Array): Encoding => {
  if (hasMagic(head, [0xff, 0xfe])) return "utf-16le"
  if (hasMagic(head, [0xfe, 0xff])) return "utf-16be"
  const sample = head.subarray(0, 512)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1
  const [even = 0, odd = 0] = zeros
  const enough = sample.length * 0.3
  if (odd > enough && even === 0) return "utf-16le"
  return even > enough && odd === 0 ? "utf-16be" : "utf-8"
}

const hasMagic = (bytes: Uint8Array, magic: ReadonlyArray<number>): boolean =>
  magic.every((byte, index) => bytes[index] === byte)
