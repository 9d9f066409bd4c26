import { defineConfig } from "vitest/config"
import { partOfRun, sharedProcesses } from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [partOfRun],
  test: {
    name: "sdk",
    ...sharedProcesses,
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    // Some start other programs, which takes long on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
