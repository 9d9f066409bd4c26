// What text Postgres can store: no NUL, which it refuses, and no surrogate without its partner, which
// is no character (spec 1.4). Both arrive in JSON as escapes that every parser accepts.

/**
 * The path of the first string in a parsed JSON value that cannot be stored, or of the object with such
 * a key; undefined when there is none. Recursive: the depth must be bounded before (json-depth.ts).
 */
export const unstorablePath = (value: unknown): ReadonlyArray<string> | undefined => {
  if (typeof value === "string") {
    return value.includes("\0") || !value.isWellFormed() ? [] : undefined
  }
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (unstorablePath(key) !== undefined) return []
    const path = unstorablePath(inner)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}

/** The same for the first number that no double can hold: `1e999` is read as infinite. */
export const infinitePath = (value: unknown): ReadonlyArray<string> | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : []
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = infinitePath(inner)
    if (path !== undefined) return [key, ...path]
  }
  return undefined
}
