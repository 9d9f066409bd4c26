import { defineConfig } from "vitest/config"
import { afterTheOthers, ownProcessesOfOneWorker } from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [ownProcessesOfOneWorker],
  test: {
    name: "console",
    ...afterTheOthers,
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/stage.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
