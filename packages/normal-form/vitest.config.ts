import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "normal-form", include: ["src/**/*.test.ts"] },
})
