// How a command ends that has waited for a delivery (decisions.md 1.1, exit codes).

import type { Delivery } from "@footfall/sdk"
import { ExitCode } from "../../errors/exit-code.ts"
import type { Terminal } from "../../terminal/terminal.ts"

export const deliveryExit = (terminal: Terminal, { failedCount, status }: Delivery): void => {
  if (status === "failed" || status === "cancelled") terminal.endWith(ExitCode.failed)
  else if (status === "completed" && failedCount > 0) terminal.endWith(ExitCode.partial)
}
