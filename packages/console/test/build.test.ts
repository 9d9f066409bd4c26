// The build of the console, with small sources.
import { gunzipSync } from "node:zlib"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import { expect, it } from "vitest"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"

const configFile = fileURLToPath(new URL("../vite.config.ts", import.meta.url))

/** Builds a page with one script. Returns the folder of the result. */
const built = async (script: string): Promise<string> => {
  const root = temporaryFolder("build")
  writeFileSync(join(root, "index.html"), `<script type="module" src="./main.js"></script>`)
  writeFileSync(join(root, "main.js"), script)
  await build({ configFile, root, logLevel: "silent" })
  return join(root, "dist")
}

it("says what is wrong with the sources", async () => {
  await expect(built(`import "./missing.js"`)).rejects.toThrow("./missing.js")
})

it("writes each script a second time, compressed", async () => {
  const dist = await built(`document.title = "Built"`)
  const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"))
  const { file } = manifest["index.html"]
  const script = readFileSync(join(dist, file), "utf8")
  expect(script).toContain("Built")
  expect(gunzipSync(readFileSync(join(dist, `${file}.gz`))).toString()).toBe(script)
})
