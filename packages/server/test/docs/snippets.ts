// The fenced blocks of the documentation. A block that can't be run says why in a comment before it: `<!-- not run:
// reason -->`.
import { fromMarkdown } from "mdast-util-from-markdown"
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const repository = fileURLToPath(new URL("../../../../", import.meta.url))

export interface Snippet {
  /** From the root of the repository. */
  readonly file: string
  /** Of its first line, counted from 1. */
  readonly line: number
  readonly language: string
  /** The words after the language. `background`: keeps running during the following blocks. */
  readonly meta: string
  readonly code: string
  /** Why it isn't run. */
  readonly notRun: string | undefined
}

/**
 * Every page except decisions, which have no commands, references, which are generated from the programs, and the
 * specification, whose examples have their own ids and times.
 */
export const pages = async (): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const where = {
    cwd: repository,
    exclude: ["docs/adr/**", "docs/reference/{api,cli}.md", "docs/specification/**"],
  }
  for await (const file of glob(["README.md", "docs/**/*.md"], where)) found.push(file)
  return found.toSorted()
}

export const snippetsOf = async (file: string): Promise<ReadonlyArray<Snippet>> => {
  const { children } = fromMarkdown(await readFile(join(repository, file), "utf8"))
  const snippets: Array<Snippet> = []
  const take = (nodes: typeof children): void => {
    for (const [at, node] of nodes.entries()) {
      if ("children" in node) take(node.children as typeof children) // of blocks, as every list of a block
      if (node.type !== "code") continue
      const before = nodes[at - 1]
      const reason = before?.type === "html" && /^<!-- not run: (.+) -->$/.exec(before.value)
      snippets.push({
        file,
        line: (node.position?.start.line ?? 0) + 1,
        language: node.lang ?? "",
        meta: node.meta ?? "",
        code: node.value,
        notRun: reason ? reason[1] : undefined,
      })
    }
  }
  take(children)
  return snippets
}
