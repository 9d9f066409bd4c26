// docs/reference/api.md matches the contract.
import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { apiReference } from "../../scripts/api-reference.ts"

const page = new URL("../../../../docs/reference/api.md", import.meta.url)

it("is as `npm run reference` makes it", async () => {
  expect(await readFile(page, "utf8")).toBe(apiReference())
})

it("leaves out no operation, and links to no schema that it does not have", () => {
  const text = apiReference()
  const headings = new Set(
    [...text.matchAll(/^### (\S+)$/gm)].map(([, name]) => name!.toLowerCase()),
  )
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, name]) => name!)

  expect(links.length).toBeGreaterThan(200)
  expect(links.filter((name) => !headings.has(name))).toEqual([])
  expect(text.match(/^### [A-Z]+ \/v1\//gm)?.length).toBeGreaterThan(90)
})
