import { defineConfig } from "vitest/config"
import { buildWhatIsStale } from "./scripts/test-run/build.ts"
import { prepareTestRun } from "./scripts/test-run/environment.ts"
import { LongestFirst } from "./scripts/test-run/shared-processes.ts"

prepareTestRun()
// Not in a `globalSetup`: those of the projects, which start servers, run before the one of this file.
buildWhatIsStale()

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts"],
    sequence: { sequencer: LongestFirst },
    // Of a failing test everything, of one that passes nothing: its failures were meant.
    reporters: ["minimal", "./scripts/summary-reporter.ts"],
    silent: "passed-only",
  },
})
