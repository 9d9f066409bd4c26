// Builds the documentation site (docs/.vitepress) and puts it, compressed, into the server's assets for `/guide`. Fails
// on dead links, on styles or scripts that the policy of `/guide` would block, and above three MB.
import { createHash } from "node:crypto"
import { globSync } from "node:fs"
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "vitepress"
import { markdownOf } from "../docs/.vitepress/links.ts"
import { files, pageOf } from "../docs/.vitepress/pages.ts"

const maxBytes = 3_500_000
const root = join(import.meta.dirname, "..")
const dist = join(root, "docs/.vitepress/dist")
const assets = join(root, "packages/server/assets/guide")

await rm(dist, { recursive: true, force: true })
await build(join(root, "docs"))

// The theme writes two short scripts and two styles into each page. The policy allows neither, so scripts become files,
// and styles are in docs/.vitepress/theme/site.css.
const scripts = new Map<string, string>()
const fileOf = (code: string): string => {
  const name = `inline.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`
  scripts.set(name, code)
  return name
}
const pages = globSync("**/*.html", { cwd: dist })
for (const page of pages) {
  const html = (await readFile(join(dist, page), "utf8"))
    .replaceAll(
      /<script id="[\w-]+">(.*?)<\/script>/gs,
      (_whole, code: string) => `<script src="/guide/assets/${fileOf(code)}"></script>`,
    )
    .replaceAll(/ style="(?:position:relative;|--vp-vh:0px;)"/g, "")
  const left = /<script(?![^>]*\bsrc=)[^>]*>|<style|<[a-z][^>]*\s(?:style|on\w+)=/.exec(html)
  if (left !== null) throw new Error(`${page}: the policy of /guide does not allow ${left[0]}`)
  await writeFile(join(dist, page), html)
}
for (const [name, code] of scripts) await writeFile(join(dist, "assets", name), code)

// For agents and other programs, each page is there as Markdown too.
for (const file of files) {
  const target = join(dist, pageOf(file))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, markdownOf(file, await readFile(join(root, file), "utf8")))
}

await rm(assets, { recursive: true, force: true })
let bytes = 0
for (const file of globSync("**/*.*", { cwd: dist, exclude: ["hashmap.json"] })) {
  const target = join(assets, file)
  await mkdir(dirname(target), { recursive: true })
  if (file.endsWith(".png")) {
    await cp(join(dist, file), target)
    bytes += (await readFile(target)).byteLength
    continue
  }
  const packed = gzipSync(await readFile(join(dist, file)), { level: 9 })
  await writeFile(`${target}.gz`, packed)
  bytes += packed.byteLength
}
console.log(
  `${pages.length} pages, ${(bytes / 1e6).toFixed(2)} MB compressed: packages/server/assets/guide`,
)
if (bytes > maxBytes) throw new Error(`The guide has ${bytes} bytes, more than ${maxBytes}.`)
