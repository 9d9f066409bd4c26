// Every link of every page leads to an existing file or heading, and every path that a page names exists. Decisions
// that the code names exist too.
import { fromMarkdown } from "mdast-util-from-markdown"
import { existsSync } from "node:fs"
import { glob, readdir, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { repository } from "./snippets.ts"

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number]

const found = async (patterns: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const files: Array<string> = []
  for await (const file of glob(patterns, { cwd: repository })) files.push(file)
  return files.toSorted()
}

const pages = await found(["*.md", "docs/**/*.md", "examples/**/*.md", "packages/*/README.md"])

const within = (node: Node): ReadonlyArray<Node> =>
  "children" in node ? [node, ...node.children.flatMap(within)] : [node]

const wordsOf = (node: Node): string =>
  within(node)
    .map((part) => ("value" in part ? part.value : ""))
    .join("")

/** Where a path on a page may start, besides the page's own folder. */
const roots = [
  "",
  "packages/server",
  "packages/server/src",
  "packages/server/src/*",
  "packages/server/test",
  "packages/cli",
]
const isPath = (code: string): boolean =>
  /^(?:docs|examples|ops|packages|scripts)\/[^\s…*]+$/.test(code) ||
  /^[\w-]+\/[^\s…*]+\.tsx?$/.test(code)

/** Paths in code spans, except those that the page tells the reader to create: `a/b.ts` (new). */
const pathsOf = (page: string): ReadonlyArray<string> => {
  const text = page.replaceAll(/^```[^\n]*\n[\s\S]*?^```/gm, "")
  const created = [...text.matchAll(/`([^`\n]+)` \(new\)/g)].map(([, path]) => path!)
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) =>
    isPath(code) && !created.some((path) => path.endsWith(code)) ? [code] : [],
  )
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-")

const read = async (page: string) => {
  const nodes = within(fromMarkdown(await readFile(join(repository, page), "utf8")))
  return {
    anchors: new Set(
      nodes.flatMap((node) => (node.type === "heading" ? [anchorOf(wordsOf(node))] : [])),
    ),
    targets: nodes.flatMap((node) =>
      node.type === "link" || node.type === "image" || node.type === "definition" ? [node.url] : [],
    ),
  }
}

const contents = new Map(
  await Promise.all(pages.map(async (page) => [page, await read(page)] as const)),
)

it.each(pages)("the links of %s work", (page) => {
  const dead = contents.get(page)!.targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = "", anchor] = target.split("#")
    const file = path === "" ? page : join(dirname(page), path)
    if (!existsSync(join(repository, file))) return true
    return anchor !== undefined && contents.get(file)?.anchors.has(anchor) !== true
  })

  expect(dead).toEqual([])
})

it.each(pages.filter((page) => !page.includes("embed-the-server")))(
  "the paths that %s names exist",
  async (page) => {
    const named = pathsOf(await readFile(join(repository, page), "utf8"))
    // `<noun>` matches any name.
    const patterns = (path: string) =>
      [dirname(page), ...roots].map((root) => join(root, path.replaceAll(/<\w+>/g, "*")))
    const missing = await Promise.all(
      named.map(async (path) => ((await found(patterns(path))).length === 0 ? [path] : [])),
    )

    expect(missing.flat()).toEqual([])
  },
)

it("messages name pages that the server shows, and no file of the repository", async () => {
  const sources = (await found(["packages/{server,cli,console,sdk}/src/**/*.{ts,tsx}"])).filter(
    (file) => !file.includes(".test."),
  )
  const texts = await Promise.all(
    sources.map(async (file) => (await readFile(join(repository, file), "utf8")).split("\n")),
  )
  const lines = texts.flat().filter((line) => !/^\s*(?:\/\/|\/?\*|import )/.test(line))
  const named = lines.flatMap((line) => [...line.matchAll(/guidePage\("([^"]+)"/g)])

  expect(lines.filter((line) => /docs\/[a-z-]+\/[a-z-]+\.md/.test(line))).toEqual([])
  expect(named.length).toBeGreaterThan(5)
  for (const [, page] of named) expect(contents.has(`docs/${page}.md`), page).toBe(true)
})

it("decisions are numbered without a gap, and those that the code cites exist", async () => {
  const numbers = (await readdir(join(repository, "docs/adr"))).map((name) => name.slice(0, 4))
  const sources = await found(["packages/*/{src,test}/**/*.{ts,tsx}", "docs/**/*.md", "*.js"])
  const named = await Promise.all(
    sources.map(async (file) => {
      const text = await readFile(join(repository, file), "utf8")
      return [...text.matchAll(/\b(?:adr\/|ADR )(\d+)/g)].map(([, number]) =>
        number!.padStart(4, "0"),
      )
    }),
  )

  expect(numbers.toSorted()).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, "0")))
  expect([...new Set(named.flat())].filter((number) => !numbers.includes(number))).toEqual([])
})
