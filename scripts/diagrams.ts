// Renders the Mermaid diagrams for the documentation site in a browser: `node scripts/diagrams.ts`. Repository pages
// render them without this. Uses the console's colors in both themes.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { pictureOf, pictures } from "../docs/.vitepress/diagrams.ts"

const root = join(import.meta.dirname, "..")
const library = createRequire(import.meta.url).resolve("@mermaid-js/tiny/dist/mermaid.tiny.js")

/** Mermaid's colors, and what replaces them in the picture. */
const palette = [
  ["#fffdf8", "var(--raised)"],
  ["#efeadf", "var(--sunk)"],
  ["#14232b", "var(--ink)"],
  ["#8b8a80", "var(--edge)"],
  ["#f6f3ec", "var(--paper)"],
] as const
const tokens = `:root{color-scheme:light dark;--paper:light-dark(#f6f3ec,#0d161b);--raised:light-dark(#fffdf8,#142128);--sunk:light-dark(#efeadf,#101b21);--ink:light-dark(#14232b,#e9ece8);--edge:light-dark(#8b8a80,#64767d)}`
const themeVariables = {
  fontFamily: "ui-sans-serif, system-ui, -apple-system, Segoe UI, Roboto, sans-serif",
  fontSize: "14px",
  primaryColor: "#fffdf8",
  primaryTextColor: "#14232b",
  primaryBorderColor: "#8b8a80",
  secondaryColor: "#efeadf",
  tertiaryColor: "#efeadf",
  tertiaryBorderColor: "#8b8a80",
  lineColor: "#8b8a80",
  textColor: "#14232b",
  titleColor: "#14232b",
  dropShadow: "none",
  mainBkg: "#fffdf8",
  nodeBorder: "#8b8a80",
  clusterBkg: "#efeadf",
  clusterBorder: "#8b8a80",
  edgeLabelBackground: "#f6f3ec",
  labelBackgroundColor: "#f6f3ec",
  transitionLabelColor: "#14232b",
  stateLabelColor: "#14232b",
}

const found = globSync(["*.md", "docs/**/*.md"], { cwd: root }).flatMap((page) => {
  const text = readFileSync(join(root, page), "utf8")
  const title = /^# (.+)$/m.exec(text)?.[1] ?? page
  return [...text.matchAll(/^```mermaid\n([\s\S]*?)^```/gm)].map(([, code = ""], at) => {
    const heading = text
      .slice(0, text.indexOf(code))
      .match(/^## .+$/gm)
      ?.at(-1)
    return { page, at, code, title: heading?.slice(3) ?? title }
  })
})

const executablePath = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
].find((path) => path !== undefined && existsSync(path))
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: ["--no-sandbox"],
})
const page = await browser.newPage()
await page.addScriptTag({ path: library })
rmSync(pictures, { recursive: true, force: true })
mkdirSync(pictures, { recursive: true })
for (const { code, title } of found) {
  const drawn = await page.evaluate(
    async ({ code, themeVariables }) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- the page's global has no type here
      const { mermaid } = globalThis as any
      mermaid.initialize({
        startOnLoad: false,
        theme: "base",
        themeVariables,
        htmlLabels: false,
        flowchart: { htmlLabels: false, useMaxWidth: false, wrappingWidth: 190 },
        state: { useMaxWidth: false },
      })
      const { svg } = await mermaid.render("diagram", code)
      return String(svg)
    },
    { code, themeVariables },
  )
  const [, width = "0", height = "0"] =
    /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(drawn) ?? []
  const colored = palette.reduce(
    (svg, [from, to]) => svg.replaceAll(new RegExp(from, "gi"), to),
    drawn,
  )
  const sized = colored.replace(/<svg ([^>]*)>/, (_whole, attributes: string) => {
    const rest = attributes.replaceAll(/ ?\b(?:width|height|style)="[^"]*"/g, "")
    return `<svg width="${Math.ceil(Number(width))}" height="${Math.ceil(Number(height))}" ${rest}><title>${title}</title><style>${tokens}</style>`
  })
  writeFileSync(`${pictures}${pictureOf(code)}`, `${sized}\n`)
}
await browser.close()
console.log(`${found.length} diagrams in docs/.vitepress/public/diagrams`)
