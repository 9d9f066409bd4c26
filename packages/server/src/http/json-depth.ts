// Measures the nesting of a JSON text on its bytes, before anything parses it: a million opening
// brackets parse well and then overflow every recursive reader behind.

/** Nesting of a request body. */ // spec 1.4
export const jsonDepthMax = 64

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Whether a JSON text nests deeper than `depthMax`. Text that is no JSON gets some answer; the
 * parser refuses it afterwards. Linear, stops at the first level too many.
 */
export const isTooDeep = (bytes: Uint8Array, depthMax: number = jsonDepthMax): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === backslash) index++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === openBracket || byte === openBrace) {
      if (++depth > depthMax) return true
    } else if (byte === closeBracket || byte === closeBrace) depth--
  }
  return false
}
