// Waits of a command that shows no progress: a line each, on standard error.

import { setTimeout as wait } from "node:timers/promises"
import type { Patience } from "../patience/patience.ts"
import { waitText } from "../patience/running-wait.ts"
import type { Terminal } from "./terminal.ts"

/** Waits as long as it takes, and says so when it begins. */
export const sayWaits = ({ stderr }: Terminal): Patience => ({
  wait,
  onWait: (begun) => {
    if (begun !== null) stderr.write(`${waitText({ ...begun, sinceMs: 0 }, 0)}\n`)
  },
})
