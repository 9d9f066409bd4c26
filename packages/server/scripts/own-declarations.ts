// Gives the built declarations a copy of those of @footfall/normal-form, which is private: its code is built in, and
// whoever installs the package has only what is in it.
import { cp, glob, readFile, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"

const dist = join(import.meta.dirname, "../dist")
const own = join(dist, "normal-form")
const isDeclaration = (path: string) => !/\.js(\.map)?$/.test(path)
await cp(join(import.meta.dirname, "../../normal-form/dist"), own, {
  recursive: true,
  filter: isDeclaration,
})
for await (const file of glob(join(dist, "**/*.d.ts"))) {
  const text = await readFile(file, "utf8")
  const here = relative(dirname(file), own) || "."
  const path = here.startsWith(".") ? here : `./${here}`
  const changed = text.replaceAll(
    /(["'])@footfall\/normal-form(?:\/([\w-]+))?\1/g,
    (_, quote: string, entry = "index") => `${quote}${path}/${entry}.js${quote}`,
  )
  if (changed !== text) await writeFile(file, changed)
}
