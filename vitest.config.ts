import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    // Two files at a time on the two cores of CI: half of the time goes by waiting for servers and databases.
    maxWorkers: 2,
    projects: ["packages/*/vitest.config.ts"],
    reporters: ["default", "./scripts/summary-reporter.ts"],
  },
})
