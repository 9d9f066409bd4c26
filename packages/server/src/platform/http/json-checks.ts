// Measures the nesting of JSON text in its bytes, before anything parses it: a million opening brackets parse without
// error and then overflow every recursive reader.

/** Maximum nesting of a request body. */ // spec 1.4
export const jsonDepthMax = 64

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Whether JSON text nests deeper than `depthMax`. For text that is not JSON the result is meaningless; the parser
 * rejects it later. Linear time; stops at the first level too deep.
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

// Finds text that Postgres can't store: NUL, which it rejects, and lone surrogates, which are not characters (spec
// 1.4). Both arrive in JSON as escapes that every parser accepts.
/**
 * The path of the first string in a parsed JSON value that can't be stored, or of the object with such a key; undefined
 * when there is none. Recursive, so check the depth first (`isTooDeep`).
 */
export const unstorablePath = (value: unknown): ReadonlyArray<string> | undefined => {
  if (typeof value === "string") {
    return value.includes("\0") || !value.isWellFormed() ? [] : undefined
  }
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) return pathInArray(value, unstorablePath)
  for (const [key, inner] of Object.entries(value)) {
    if (unstorablePath(key) !== undefined) return []
    const path = unstorablePath(inner)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}

/** Avoids a name for each element, because a body may have 25,000 of them. */
const pathInArray = (
  elements: ReadonlyArray<unknown>,
  pathIn: (value: unknown) => ReadonlyArray<string> | undefined,
): ReadonlyArray<string> | undefined => {
  for (const [index, element] of elements.entries()) {
    const path = pathIn(element)
    if (path !== undefined) return [String(index), ...path]
  }
  return undefined
}

/** Like `unstorablePath`, for numbers too large for a double: `1e999` parses as infinity. */
export const infinitePath = (value: unknown): ReadonlyArray<string> | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : []
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) return pathInArray(value, infinitePath)
  for (const [key, inner] of Object.entries(value)) {
    const path = infinitePath(inner)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}
