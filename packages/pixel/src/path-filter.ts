/**
 * Path patterns of a pixel: a prefix that ends on a segment boundary, `*` for one whole segment, `/$` for only the home
 * page. Case and a trailing slash make no difference. The script and the server both run this file, so they always
 * agree. A pattern that doesn't start with `/` matches nothing.
 */

/** Runs of escapes, except those of control characters and of `%`, `*` and `/`, which mean something in a path. */
const ESCAPES = /(%(?![01]|7f|2[5af])[\da-f]{2})+/gi

const decodedRun = (run: string) => {
  try {
    return decodeURIComponent(run)
  } catch {
    // Not UTF-8: old servers write Latin-1.
    return unescape(run)
  }
}

/** The path of a URL in plain letters (NFC), so that every spelling of a page is the same text. */
export const decodedPath = (path: string): string => path.replace(ESCAPES, decodedRun).normalize()

/** Empty segments inside a path count: `/a//b` is not `/a/b`. */
const segmentsOf = (path: string) => decodedPath(path).toLowerCase().replace(/\/$/, "").split("/")

/** True when at least one pattern matches the path. */
export const matchesAny = (patterns: readonly string[], path: string): boolean => {
  const segments = segmentsOf(path)
  // Loop by index, because the page may have changed array iteration.
  for (let index = 0; index < patterns.length; index++) {
    const pattern = patterns[index] as string
    const wanted = segmentsOf(pattern)
    let place = 0
    while (
      place < segments.length &&
      (wanted[place] === segments[place] || wanted[place] === "*")
    ) {
      place++
    }
    if (pattern === "/$" ? segments.length === 1 : pattern && place >= wanted.length) return true
  }
  return false
}

/** Whether events of a page count. A missing or null list lets every path pass. */
export const passesLists = (
  path: string,
  excluded?: readonly string[] | null,
  included?: readonly string[] | null,
): boolean => !(excluded && matchesAny(excluded, path)) && (!included || matchesAny(included, path))
