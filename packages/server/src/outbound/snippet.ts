// The beginning of an answer's body as text that can be stored and shown (spec 2.16, 2.20, 8.1).

/** Units: bytes. */
const snippetBytesMax = 1_024

/** Null if there is none. */
export const snippetOf = (body: Uint8Array): string | null => {
  const text = Buffer.from(body.subarray(0, snippetBytesMax)).toString("utf8")
  // Invalid text becomes a longer character, so the bytes are counted again.
  const bytes = Buffer.from(text.replaceAll("\u0000", " "))
  const kept = bytes
    .subarray(0, snippetBytesMax)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")
  return kept === "" ? null : kept
}
