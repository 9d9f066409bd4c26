// The table of docs/reference/configuration.md names every variable that the configuration reads, and no other.
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"

const file = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), "utf8")
const found = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort()

test("every environment variable is in one table", async () => {
  const read = found(
    await file("packages/server/src/config.ts"),
    /(?:read\w*|variableOf)\(\s*"([A-Z][A-Z_]+)"/g,
  )
  const documented = found(await file("docs/reference/configuration.md"), /^\| `([A-Z][A-Z_]+)`/gm)

  expect(read.length).toBeGreaterThan(20)
  expect(documented).toEqual(read)
})
