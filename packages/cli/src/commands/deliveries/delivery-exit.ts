// How a command ends that has waited for a delivery (spec 1.1, exit codes).

import type { Delivery } from "@footfall/sdk"
import { ExitCode, exitCodeOf } from "../../errors/exit-code.ts"
import type { Terminal } from "../../terminal/terminal.ts"

export const deliveryExit = (
  terminal: Terminal,
  { failedCount, sentCount, skippedCount, status }: Delivery,
): void => {
  if (status === "failed" || status === "cancelled") terminal.endWith(ExitCode.failed)
  else if (status === "completed") {
    terminal.endWith(exitCodeOf({ taken: sentCount + skippedCount, rejected: failedCount }))
  }
}
