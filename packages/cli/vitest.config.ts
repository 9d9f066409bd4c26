import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "cli",
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    // A test starts the command up to a dozen times: a third of a second each on an idle machine, and
    // several on a busy one.
    testTimeout: 60_000,
  },
})
