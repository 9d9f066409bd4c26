import { defineConfig } from "vitest/config"
import {
  ownProcessesOfOneWorker,
  sharedProcesses,
} from "../../scripts/test-run/shared-processes.ts"

export default defineConfig({
  plugins: [ownProcessesOfOneWorker],
  test: {
    name: "agent-tools",
    ...sharedProcesses,
    setupFiles: ["../../scripts/test-run/each-file.ts"],
    include: ["src/**/*.test.ts"],
    testTimeout: 30_000,
  },
})
