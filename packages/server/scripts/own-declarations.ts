// Gives the built declarations a copy of those of @footfall/normal-form and @footfall/pixel: their code is built in, and
// whoever installs the package has only what is in it. Removes the declarations of sources that are gone.
import { existsSync } from "node:fs"
import { cp, glob, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"

const dist = join(import.meta.dirname, "../dist")
const builtIn = ["normal-form", "pixel"]
const isDeclaration = (path: string) => !/\.js(\.map)?$|\/variants$/.test(path)
for await (const file of glob("**/*.d.ts", { cwd: dist })) {
  if (!existsSync(join(dist, "../src", file.replace(/\.d\.ts$/, ".ts")))) await rm(join(dist, file))
}
for (const name of builtIn) {
  await cp(join(import.meta.dirname, `../../${name}/dist`), join(dist, name), {
    recursive: true,
    filter: isDeclaration,
  })
}
const specifier = new RegExp(`(["'])@footfall/(${builtIn.join("|")})(?:/([\\w-]+))?\\1`, "g")
for await (const file of glob(join(dist, "**/*.d.ts"))) {
  const text = await readFile(file, "utf8")
  const changed = text.replaceAll(specifier, (_, quote: string, name: string, entry = "index") => {
    const here = relative(dirname(file), join(dist, name)) || "."
    const path = here.startsWith(".") ? here : `./${here}`
    return `${quote}${path}/${entry}.js${quote}`
  })
  if (changed !== text) await writeFile(file, changed)
}
