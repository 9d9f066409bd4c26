import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "pixel",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/support/build.ts"],
  },
})
