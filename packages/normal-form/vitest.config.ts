import { defineConfig } from "vitest/config"
import { partOfRun, sharedProcesses } from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [partOfRun],
  test: {
    name: "normal-form",
    ...sharedProcesses,
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.ts"],
    // Properties of thousands of runs, on machines that others use too.
    testTimeout: 30_000,
  },
})
