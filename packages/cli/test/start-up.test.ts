// What is loaded before it is known which command runs. Ink takes some 150 ms of processor time and the
// SDK some 10, so that neither may slip into the part that every command loads.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const dist = join(import.meta.dirname, "../dist")

/** The file and everything it imports at once; what comes by `import()` is left out. */
const loadedAtOnce = (name: string, seen = new Map<string, string>()): Map<string, string> => {
  if (seen.has(name)) return seen
  const code = readFileSync(join(dist, name), "utf8")
  seen.set(name, code)
  for (const [, imported = ""] of code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    loadedAtOnce(imported, seen)
  }
  return seen
}

test.each([
  ["Ink", "useInput"],
  ["the SDK", "footfall-sdk/"],
  ["the list of free-mail domains", "hotmail"],
])("%s is not loaded before it is needed", (_what, mark) => {
  const files = [...loadedAtOnce("main.js")]

  expect(files.filter(([, code]) => code.includes(mark)).map(([name]) => name)).toEqual([])
})

test("what every command loads stays small", () => {
  const sizes = [...loadedAtOnce("main.js").values()].map((code) => code.length)

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
})
