// Path patterns of pixels: a case-sensitive prefix that ends on a segment boundary, `*` for one whole
// segment, `/$` for the home page alone; a trailing slash makes no difference. Source: decisions.md 6.4.

/** True when at least one pattern matches the path. */
export const matchesAny = (patterns: ReadonlyArray<string>, path: string): boolean => {
  const segments = segmentsOf(path)
  return patterns.some((pattern) => matches(pattern, segments))
}

const matches = (pattern: string, segments: ReadonlyArray<string>): boolean => {
  if (pattern === "/$") return segments.length === 0
  const wanted = segmentsOf(pattern)
  if (wanted.length > segments.length) return false
  return wanted.every((segment, place) => segment === "*" || segment === segments[place])
}

// Empty segments inside a path count: `/a//b` is not `/a/b`.
const segmentsOf = (path: string): ReadonlyArray<string> => {
  const inner = path.slice(1, path.endsWith("/") ? -1 : undefined)
  return inner === "" ? [] : inner.split("/")
}
