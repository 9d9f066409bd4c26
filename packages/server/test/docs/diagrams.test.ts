// The Mermaid diagrams of the documentation: Mermaid parses each, as a repository's page does, and the site has a
// picture of it.
import { existsSync } from "node:fs"
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { createContext, runInContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { pictureOf, pictures } from "../../../../docs/.vitepress/diagrams.ts"
import { repository, type Snippet, snippetsOf } from "./snippets.ts"

interface Mermaid {
  parse(text: string): Promise<{ readonly diagramType: string }>
}

/** Mermaid is made for browsers. This is all that it needs of one to parse a diagram. */
const loadMermaid = async (): Promise<Mermaid> => {
  const file = join(repository, "node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js")
  const document = { nodeType: 9, createElement: () => ({}), addEventListener: () => undefined }
  const window = { document, Element: Object, addEventListener: () => undefined }
  const context = createContext({ window, document, structuredClone, console, setTimeout, URL })
  runInContext(await readFile(file, "utf8"), context)
  return (context as unknown as { readonly mermaid: Mermaid }).mermaid
}

const mermaid = await loadMermaid()
const found: Array<Snippet> = []
for await (const file of glob(["*.md", "docs/**/*.md"], { cwd: repository }))
  found.push(...(await snippetsOf(file)).filter(({ language }) => language === "mermaid"))
const diagrams = found.map((diagram) => [`${diagram.file}:${diagram.line}`, diagram.code] as const)

it("there are diagrams of the server, the flow, the storage, a delivery, several processes, and signals", () => {
  const pages = new Set(found.map(({ file }) => file))

  expect([...pages].toSorted()).toEqual([
    "ARCHITECTURE.md",
    "docs/explanation/deliveries.md",
    "docs/explanation/how-it-works.md",
    "docs/explanation/topics-and-signals.md",
    "docs/operations/scale-out.md",
  ])
  expect(diagrams.length).toBeGreaterThanOrEqual(5)
})

describe.each(diagrams)("the diagram at %s", (_at, code) => {
  it("can be parsed by Mermaid", async () => {
    const { diagramType } = await mermaid.parse(code)

    expect(diagramType).toMatch(/^(?:flowchart-v2|stateDiagram)$/)
  })

  it("has a picture on the site, drawn by node scripts/diagrams.ts", () => {
    expect(existsSync(`${pictures}${pictureOf(code)}`)).toBe(true)
  })
})

it("a broken diagram is rejected", async () => {
  await expect(mermaid.parse("flowchart LR\n  a -->")).rejects.toThrow("Parse error")
})
