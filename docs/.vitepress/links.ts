// What the links of the repository's Markdown mean on the site.
import { existsSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { files, pageOf, repository } from "./pages.ts"

/** Where files are shown that are no page. Without it their names stay, as words. */
export const source =
  process.env["GITHUB_REPOSITORY"] === undefined
    ? undefined
    : `https://github.com/${process.env["GITHUB_REPOSITORY"]}`

/** What a link of `page` means on the site: itself, an address at the repository, or nothing. */
export const targetOf = (page: string, link: string): string | undefined => {
  if (/^([a-z]+:|#)/.test(link)) return link
  const [path = "", anchor] = link.split("#")
  const file = posix.join(posix.dirname(page), path).replace(/\/$/, "")
  if (!existsSync(join(repository, file))) {
    // VitePress names a dead link of a page. What is outside docs may be missing in the build of an image.
    return file.startsWith("docs/") ? link : undefined
  }
  const inside = [file, `${file}/README.md`].find((each) => files.includes(each))
  if (inside !== undefined)
    return `/${pageOf(inside).replace(/(index)?\.md$/, "")}${anchor === undefined ? "" : `#${anchor}`}`
  if (file === "docs/adr") return "/adr/0001-effect-pinned"
  const kind = statSync(join(repository, file)).isDirectory() ? "tree" : "blob"
  return source && `${source}/${kind}/main/${file}`
}

/** The Markdown of a page for programs that read it there: its links lead to the Markdown of other pages. */
export const markdownOf = (page: string, text: string): string =>
  text.replaceAll(
    /^```[^]*?^```|\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/gm,
    (whole: string, words: string | undefined, link: string | undefined) => {
      if (words === undefined || link === undefined) return whole
      const target = targetOf(page, link)
      if (target === undefined) return words
      const [, path, anchor = ""] = /^(\/[^#]*)(#.*)?$/.exec(target) ?? []
      if (path === undefined) return `[${words}](${target})`
      return `[${words}](/guide${path.replace(/\/$/, "/index")}.md${anchor})`
    },
  )
