import { defineConfig } from "vitest/config"
import { partOfRun, sharedProcesses } from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [partOfRun],
  test: {
    name: "cli",
    ...sharedProcesses,
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    // A test starts the command up to a dozen times: a third of a second each on an idle machine, and
    // several on a busy one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
