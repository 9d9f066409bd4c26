/**
 * Builds the script before the tests, which run the file a server would serve and nothing else, so
 * none can pass on a stale build. It goes beside `dist`, which others may be reading meanwhile.
 */
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export default () => {
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup")), "cli-default.js")
  // A process of its own: the bundler inside this one resolves from the folder it was started in.
  execFileSync(process.execPath, [tsup, "--silent", "--out-dir", "node_modules/.test-build"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: "inherit",
  })
}
