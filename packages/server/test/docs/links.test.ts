// Every link of every page leads somewhere: to a file that is there, and to a heading that it has. Comments of
// the code that name a decision name one that was written.
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

const pages = await found(["*.md", "docs/**/*.md", "examples/*.md", "packages/*/README.md"])

const within = (node: Node): ReadonlyArray<Node> =>
  "children" in node ? [node, ...node.children.flatMap(within)] : [node]

const wordsOf = (node: Node): string =>
  within(node)
    .map((part) => ("value" in part ? part.value : ""))
    .join("")

/** As GitHub names a heading. */
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

it.each(pages)("the links of %s lead somewhere", (page) => {
  const dead = contents.get(page)!.targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = "", anchor] = target.split("#")
    const file = path === "" ? page : join(dirname(page), path)
    if (!existsSync(join(repository, file))) return true
    return anchor !== undefined && contents.get(file)?.anchors.has(anchor) !== true
  })

  expect(dead).toEqual([])
})

it("decisions are numbered without a gap, and those that the code names are there", async () => {
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
