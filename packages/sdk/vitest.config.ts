import { defineConfig } from "vitest/config"
import {
  ownProcessesOfOneWorker,
  sharedProcesses,
} from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [ownProcessesOfOneWorker],
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
