import { defineConfig } from "vitest/config"
import { partOfRun, sharedProcesses } from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [partOfRun],
  test: {
    name: "console",
    ...sharedProcesses,
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/stage.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
  },
})
