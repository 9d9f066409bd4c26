import { defineConfig } from "vitest/config"

export default defineConfig({
  // Properties of thousands of runs, on machines that others use too.
  test: { name: "normal-form", include: ["src/**/*.test.ts"], testTimeout: 30_000 },
})
