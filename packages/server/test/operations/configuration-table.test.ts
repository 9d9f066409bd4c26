// The table of docs/reference/configuration.md names every variable that the configuration reads, and no other.
import { readdir, readFile } from "node:fs/promises"
import { expect, test } from "vitest"

const file = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), "utf8")
const found = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort()

test("every environment variable is in one table", async () => {
  const folder = "packages/server/src/app/config/"
  const names = await readdir(new URL(`../../../../${folder}`, import.meta.url))
  const sources = await Promise.all(
    names.filter((name) => !name.endsWith(".test.ts")).map((name) => file(folder + name)),
  )
  const read = found(sources.join("\n"), /(?:read\w*|variableOf)\(\s*"([A-Z][A-Z_]+)"/g)
  const documented = found(await file("docs/reference/configuration.md"), /^\| `([A-Z][A-Z_]+)`/gm)

  expect(read.length).toBeGreaterThan(20)
  expect(documented).toEqual(read)
})
