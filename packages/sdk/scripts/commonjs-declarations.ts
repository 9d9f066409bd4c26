// Declarations for the CommonJS build: a copy of the others, which the folder's package.json makes CommonJS. Everything
// but `effect`, which is an ES module only.
import { cp, writeFile } from "node:fs/promises"
import { join } from "node:path"

const dist = join(import.meta.dirname, "../dist")
const commonJs = join(dist, "cjs")
for (const folder of ["core", "errors", "extensions", "resources", "webhooks"]) {
  await cp(join(dist, folder), join(commonJs, folder), { recursive: true })
}
for (const file of [
  "client",
  "index",
  "normal-form",
  "options",
  "version",
  "webhook-schemas",
  "webhooks",
]) {
  await cp(join(dist, `${file}.d.ts`), join(commonJs, `${file}.d.ts`))
}
await writeFile(join(commonJs, "package.json"), '{ "type": "commonjs" }\n')
