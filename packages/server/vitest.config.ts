import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "server",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/database-setup.ts"],
  },
})
