// Reads the body of a request nobody vouches for. Refuses what later stages cannot bear: bytes that
// are not UTF-8, nesting deeper than 64, NUL characters, lone surrogates and numbers beyond double
// precision (Postgres refuses the strings, `JSON.stringify` would turn the numbers into null).
// Depth is counted on the bytes, before anything recursive runs.

import { isTooDeep } from "../http/json-depth.ts"

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The value in the bytes, or undefined when they are unreadable. Never throws. */
export const readJson = (bytes: Uint8Array): unknown => {
  if (isTooDeep(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return isStorable(value) ? value : undefined
  } catch {
    return undefined
  }
}

// Recursion is safe: the depth was bounded above.
const isStorable = (value: unknown): boolean => {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() && !value.includes("\0")
    case "number":
      return Number.isFinite(value)
    case "object":
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isStorable)
      return Object.entries(value).every(([key, entry]) => isStorable(key) && isStorable(entry))
    default:
      return true
  }
}
