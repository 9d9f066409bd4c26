// Writes the manual pages to dist/man, where npm finds them. Part of the build.

import { mkdir, writeFile } from "node:fs/promises"
import { wholeProgram } from "../src/program.ts"
import { nowhere } from "./cli-reference.ts"
import { manualPages } from "./manual.ts"

const folder = new URL("../dist/man/", import.meta.url)
await mkdir(folder, { recursive: true })
for (const [name, page] of manualPages(await wholeProgram(nowhere(), ""))) {
  await writeFile(new URL(name, folder), page)
}
