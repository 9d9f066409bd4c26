// Prints one run, as every command does that has one.

import type { Run } from "@footfall/sdk"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { seeCommand } from "../../terminal/see-command.ts"
import type { Terminal } from "../../terminal/terminal.ts"

export const printRun = (terminal: Terminal, options: GlobalOptions, run: Run): Promise<void> =>
  printResult(terminal, options, run, async (columns) => {
    const [{ drawn }, { RunView }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/RunView.tsx"),
    ])
    const props = { run, now: terminal.now, screenColumns: columns }
    return drawn(RunView, props, columns) + figuresHint(run, columns)
  })

const figuresHint = ({ audienceId, id, status }: Run, columns: number): string =>
  status === "completed"
    ? `\n${seeCommand(`footfall runs stats ${audienceId} ${id}`, columns)}`
    : ""
