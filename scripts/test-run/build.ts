// Builds whatever is stale before a run, so that tests never run outdated programs, no matter how vitest was started.
// `TEST_BUILD=skip` is for runs whose tests start no programs (mutate.ts).
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

export const buildWhatIsStale = (): void => {
  if (process.env["TEST_BUILD"] === "skip") return
  const script = fileURLToPath(new URL("../build.ts", import.meta.url))
  const { status } = spawnSync(process.execPath, [script], { stdio: "inherit" })
  if (status !== 0) throw new Error("The build failed: see its output above")
}
