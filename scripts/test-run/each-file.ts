// Vitest setup for every file. Each file gets its own temporary folder and fails if something is left there. Programs
// that tests start find it in TMPDIR. A program that a test will kill should get a `temporaryFolder` instead.
import { readdirSync } from "node:fs"
import { afterAll, vi } from "vitest"
import { temporaryFolder } from "./temporary-folder.ts"

const temporary = temporaryFolder("t")
process.env["TMPDIR"] = temporary

// Registered before the file's own hooks, so it runs after them.
afterAll(() => {
  // Restores the clock and the environment for the next file of the process.
  vi.useRealTimers()
  vi.unstubAllEnvs()
  const left = readdirSync(temporary)
  if (left.length > 0) throw new Error(`This file left temporary files behind: ${left.join(", ")}`)
})
