import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "sdk",
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    // Some start other programs, which takes long on a busy machine.
    testTimeout: 60_000,
  },
})
