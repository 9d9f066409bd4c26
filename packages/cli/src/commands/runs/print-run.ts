// Prints one run, as every command does that has one.

import type { Run } from "@footfall/sdk"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"

export const printRun = (terminal: Terminal, options: GlobalOptions, run: Run): Promise<void> =>
  printResult(terminal, options, run, async (columns) => {
    const [{ drawn }, { RunView }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/RunView.tsx"),
    ])
    return drawn(RunView, { run, now: terminal.now, screenColumns: columns }, columns)
  })
