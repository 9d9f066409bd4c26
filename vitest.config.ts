import { defineConfig } from "vitest/config"
import { prepareTestRun } from "./scripts/test-run/environment.ts"
import { LongestFirst } from "./scripts/test-run/shared-processes.ts"

prepareTestRun()

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts"],
    sequence: { sequencer: LongestFirst },
    globalSetup: ["./scripts/test-run/build.ts"],
    // Of a failing test everything, of one that passes nothing: its failures were meant.
    reporters: ["minimal", "./scripts/summary-reporter.ts"],
    silent: "passed-only",
  },
})
