/**
 * Path patterns of a pixel: a case-sensitive prefix that ends on a segment boundary, `*` for one whole segment, `/$`
 * for only the home page. A trailing slash makes no difference. The script and the server both run this file, so they
 * always agree.
 *
 * It takes the path of a URL, percent-encoded as in the browser, without query and fragment. A pattern may use plain
 * letters. A pattern that doesn't start with `/` matches nothing.
 */

/** Empty segments inside a path count: `/a//b` is not `/a/b`. */
const segmentsOf = (path: string) => path.replace(/\/$/, "").split("/")

/** True when at least one pattern matches the path. */
export const matchesAny = (patterns: readonly string[], path: string): boolean => {
  const segments = segmentsOf(path)
  // Loop by index, because the page may have changed array iteration.
  for (let index = 0; index < patterns.length; index++) {
    const pattern = patterns[index] as string
    const wanted = segmentsOf(pattern.replace(/[^!-~]+/g, encodeURIComponent))
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
