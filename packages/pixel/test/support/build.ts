/**
 * Builds the script before the tests, which run the file a server would serve and nothing else, so
 * none can pass on a stale build.
 */
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { builtFiles } from "./built-files.ts"

export default () => {
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup")), "cli-default.js")
  // A process of its own: the bundler inside this one resolves from the folder it was started in.
  execFileSync(process.execPath, [tsup, "--silent", "--out-dir", builtFiles], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: "inherit",
  })
}
