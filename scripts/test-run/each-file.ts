// Vitest set-up of every file: the file has a place for temporary files of its own, and fails when something is left
// there. Programs that tests start find it in TMPDIR; one that is to be killed should be given a `temporaryFolder`.
import { readdirSync } from "node:fs"
import { afterAll, vi } from "vitest"
import { temporaryFolder } from "./temporary-folder.ts"

const temporary = temporaryFolder("t")
process.env["TMPDIR"] = temporary

// Registered before those of the file, so it runs after them.
afterAll(() => {
  // The next file of the process has the clock, and the environment as it was.
  vi.useRealTimers()
  vi.unstubAllEnvs()
  const left = readdirSync(temporary)
  if (left.length > 0)
    throw new Error(`This file left in the place for temporary files: ${left.join(", ")}`)
})
