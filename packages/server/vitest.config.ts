import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "server",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/database-setup.ts"],
    // Making a database takes a second on an idle machine and several on a busy one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
