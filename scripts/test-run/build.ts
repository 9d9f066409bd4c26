// Vitest set-up of a run: builds what is stale, so that tests of built programs never run those of yesterday, however
// vitest was started. `TEST_BUILD=skip` is for runs of tests that start none (mutate.ts).
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

export default (): void => {
  if (process.env["TEST_BUILD"] === "skip") return
  const script = fileURLToPath(new URL("../build.ts", import.meta.url))
  const { status } = spawnSync(process.execPath, [script], { stdio: "inherit" })
  if (status !== 0) throw new Error("The build failed: its messages stand above")
}
