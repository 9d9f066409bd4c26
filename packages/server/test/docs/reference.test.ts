// docs/reference/api.md matches the contract.
import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { apiReference } from "../../scripts/api-reference.ts"

const page = new URL("../../../../docs/reference/api.md", import.meta.url)

it("is up to date with `npm run reference`", async () => {
  expect(await readFile(page, "utf8")).toBe(apiReference())
})

it("contains every operation, and links to no missing schema", () => {
  const text = apiReference()
  const headings = new Set(
    [...text.matchAll(/^### (\S+)$/gm)].map(([, name]) => name!.toLowerCase()),
  )
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, name]) => name!)

  expect(links.length).toBeGreaterThan(200)
  expect(links.filter((name) => !headings.has(name))).toEqual([])
  expect(text.match(/^### [A-Z]+ \/v1\//gm)?.length).toBeGreaterThan(90)
})
