// What a file is, by its first bytes: compressed, an archive, and what its text is written in. Pure.

/** What a text is written in. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be"

/** What is looked at to tell how a file is laid out. */
export const HEAD_BYTES = 64 * 1024

/** `zip` also for a workbook. */
export const fileKind = (head: Uint8Array): "zip" | "gzip" | "plain" => {
  if (hasMagic(head, [0x50, 0x4b, 0x03, 0x04])) return "zip"
  return hasMagic(head, [0x1f, 0x8b]) ? "gzip" : "plain"
}

/** Null for what is no text. */
export const encodingOf = (head: Uint8Array): Encoding | null => {
  const encoding = likelyEncoding(head)
  return encoding === "utf-8" && head.subarray(0, HEAD_BYTES).includes(0) ? null : encoding
}

/** Whether a text begins with the mark of UTF-8. */
export const hasUtf8Mark = (bytes: Uint8Array): boolean => hasMagic(bytes, [0xef, 0xbb, 0xbf])

/** By its mark; without one by where the zeros are that UTF-16 has in every second place of Latin text. */
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
