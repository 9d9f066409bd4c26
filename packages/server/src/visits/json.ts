// Reads the body of a request no one vouches for. Refuses what later stages cannot bear: bytes that
// are not UTF-8, nesting deeper than 64, NUL characters and lone surrogates (spec 1.4). Depth
// is counted on the bytes, before anything recursive runs.
import { isTooDeep } from "../http/json-depth.ts"
import { unstorablePath } from "../http/storable.ts"

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The value in the bytes, or undefined when they are unreadable. Never throws. */
export const readJson = (bytes: Uint8Array): unknown => {
  if (isTooDeep(bytes)) return undefined
  try {
    const text = decoder.decode(bytes)
    const value: unknown = JSON.parse(text)
    // Decoded text is well-formed and JSON forbids a bare NUL, so only an escape can hide either one.
    return text.includes("\\u") && unstorablePath(value) !== undefined ? undefined : value
  } catch {
    return undefined
  }
}
