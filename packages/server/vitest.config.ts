import { defineConfig } from "vitest/config"
import { partOfRun, sharedProcesses } from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [partOfRun],
  test: {
    name: "server",
    ...sharedProcesses,
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/database-setup.ts"],
    setupFiles: ["../../scripts/test-run/each-file.ts", "test/support/one-day.ts"],
    // Starting a server takes a second on an idle machine and ten on a busy one; some tests start six.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What a worker or another process does takes longer than the second of vitest's own.
    expect: { poll: { timeout: 30_000 } },
  },
})
