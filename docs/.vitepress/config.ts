// The documentation as a site: `npm run docs`. Everything it shows is in the repository's Markdown, which reads on a
// repository's page too.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createCssVariablesTheme } from "shiki"
import { defineConfig, type MarkdownOptions } from "vitepress"
import { diagramOf } from "./diagrams.ts"
import { source, targetOf } from "./links.ts"
import { pageOf, repository, sidebar } from "./pages.ts"
import { versionMenu } from "./versions.ts"

const { version } = JSON.parse(
  readFileSync(join(repository, "packages/server/package.json"), "utf8"),
) as { readonly version: string }

/** None in a copy of the files without the repository. */
const tags = (spawnSync("git", ["tag"], { cwd: repository, encoding: "utf8" }).stdout ?? "").split(
  "\n",
)

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0]

const linksOfTheRepository = (md: MarkdownIt) => {
  md.core.ruler.push("links-of-the-repository", ({ env, tokens }) => {
    const page = String(env.realPath ?? env.path).slice(repository.length)
    for (const { children } of tokens) {
      for (const [at, token] of (children ?? []).entries()) {
        if (token.type !== "link_open") continue
        const target = targetOf(page, token.attrGet("href") ?? "")
        if (target !== undefined) {
          token.attrSet("href", target)
          continue
        }
        const closing = children!.findIndex(({ type }, each) => each > at && type === "link_close")
        for (const part of [token, children![closing]!]) {
          part.type = "text"
          part.content = ""
          part.tag = ""
          part.nesting = 0
        }
      }
    }
  })
}

/** Diagrams as the pictures that `scripts/diagrams.ts` made: a page loads no library, and the policy allows no style. */
const diagrams = (md: MarkdownIt) => {
  const others = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const { content, info } = tokens[at]!
    if (info !== "mermaid") return others(tokens, at, ...rest)
    const { file, height, title, width } = diagramOf(content)
    return `<p><img class="diagram" src="/${file}" alt="${md.utils.escapeHtml(title)}" width="${width}" height="${height}"></p>`
  }
}

/** Colors by name, so that no word of code has a style of its own: the policy of the site allows none. */
const codeTheme = createCssVariablesTheme({ name: "footfall", variablePrefix: "--code-" })

export default defineConfig({
  title: "Footfall",
  description:
    "Footfall shows who visits your websites. This is its documentation: a tutorial, quick starts, how it works, and every operation.",
  lang: "en",
  base: "/guide/",
  srcDir: "..",
  srcExclude: [
    "README.md",
    "SECURITY.md",
    ".changeset/**",
    "examples/**",
    "packages/!(sdk)/**",
    "packages/sdk/!(README.md)",
    "packages/sdk/!(README.md)/**",
  ],
  rewrites: (page) => pageOf(page),
  outDir: ".vitepress/dist",
  cleanUrls: true,
  metaChunk: true,
  appearance: { disableTransition: false }, // it would add a style to the page
  head: [["link", { rel: "icon", href: "/guide/icon.svg", type: "image/svg+xml" }]],
  markdown: {
    attrs: { disable: true }, // a path in a heading has braces
    theme: codeTheme,
    languageAlias: { console: "shellsession" },
    codeTransformers: [
      {
        name: "footfall:classes",
        span(node) {
          const name = /^color:var\(--code-([\w-]+)\)/.exec(String(node.properties["style"] ?? ""))
          delete node.properties["style"]
          if (name !== null && name[1] !== "foreground")
            this.addClassToHast(node, name[1]!.replace("token-", "t-"))
        },
        pre(node) {
          delete node.properties["style"]
        },
      },
    ],
    config: (md) => {
      // A placeholder of a template is no expression of the page.
      const codeOf = md.renderer.rules.code_inline!
      md.renderer.rules.code_inline = (...given) => codeOf(...given).replace("<code", "<code v-pre")
      md.use(linksOfTheRepository)
      md.use(diagrams)
    },
  },
  vite: { publicDir: join(repository, "docs/.vitepress/public") },
  themeConfig: {
    logo: "/icon.svg",
    outline: { level: [2, 3] },
    search: { provider: "local" },
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "API", link: "/reference/api" },
      versionMenu({
        changelog: readFileSync(join(repository, "CHANGELOG.md"), "utf8"),
        version,
        source,
        tags,
      }),
    ],
    sidebar,
  },
})
