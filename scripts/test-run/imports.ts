// What a test file does can be read from its source and the sources of the test helpers that it imports.
import { existsSync, readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"

const imported = /\b(?:from |import ?\(?)"(\.[^"]+)"/g

/** Helpers of tests and benchmarks, and scripts. The programs under test aren't followed, nor is the run itself. */
const isHelper = (path: string): boolean =>
  /\/packages\/[^/]+\/(test|bench)\/|\/scripts\/(?!test-run\/)/.test(path)

/** Whether the text of a file, or of a helper that it imports, matches. */
export const reaches = (pattern: RegExp): ((path: string) => boolean) => {
  const known = new Map<string, boolean>()
  const isReached = (path: string): boolean => {
    const before = known.get(path)
    if (before !== undefined) return before
    known.set(path, false) // Stops recursion if its imports lead back here.
    const text = existsSync(path) ? readFileSync(path, "utf8") : ""
    const is =
      pattern.test(text) ||
      [...text.matchAll(imported)]
        .map(([, relative = ""]) => resolve(dirname(path), relative))
        .filter(isHelper)
        .some(isReached)
    known.set(path, is)
    return is
  }
  return isReached
}
