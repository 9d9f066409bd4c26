/**
 * Builds the script before the tests, so that none passes on a stale build. The tests run the file
 * that a server would serve.
 */
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { builtFiles } from "./built-files.ts"

export default () => {
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup")), "cli-default.js")
  // A separate process, because the bundler in this one would resolve from the folder it was started in.
  execFileSync(process.execPath, [tsup, "--silent", "--out-dir", builtFiles], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: "inherit",
  })
}
