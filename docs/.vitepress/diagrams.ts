// Where the picture of a diagram is: its name is the hash of the diagram's text, so a changed diagram has none until
// `node scripts/diagrams.ts` has drawn it.
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const pictures = fileURLToPath(new URL("public/diagrams/", import.meta.url))

export const pictureOf = (text: string): string =>
  `${createHash("sha256").update(text.trim()).digest("hex").slice(0, 12)}.svg`

/** For the page: the picture's size in pixels, and what it shows in words. */
export const diagramOf = (text: string) => {
  const name = pictureOf(text)
  if (!existsSync(`${pictures}${name}`))
    throw new Error("A diagram has no picture. Draw it: node scripts/diagrams.ts")
  const svg = readFileSync(`${pictures}${name}`, "utf8")
  const [, width = "", height = ""] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? []
  const title = /<title>(.*?)<\/title>/s.exec(svg)?.[1] ?? ""
  return { file: `diagrams/${name}`, width, height, title }
}
