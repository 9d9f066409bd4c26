import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "console",
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/stage.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
