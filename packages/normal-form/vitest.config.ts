import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "normal-form",
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.ts"],
    // Properties of thousands of runs, on machines that others use too.
    testTimeout: 30_000,
  },
})
