// Prints one delivery, as every command does that has one.

import type { Delivery } from "@footfall/sdk"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { seeCommand } from "../../terminal/see-command.ts"
import type { Terminal } from "../../terminal/terminal.ts"

export const printDelivery = (
  terminal: Terminal,
  options: GlobalOptions,
  delivery: Delivery,
): Promise<void> =>
  printResult(terminal, options, delivery, async (columns) => {
    const [{ drawn }, { DeliveryView }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/DeliveryView.tsx"),
    ])
    const props = { delivery, now: terminal.now, screenColumns: columns }
    return drawn(DeliveryView, props, columns) + failuresHint(delivery, columns)
  })

const failuresHint = ({ audienceId, failedCount, id }: Delivery, columns: number): string =>
  failedCount > 0
    ? `\n${seeCommand(`footfall deliveries failures ${audienceId} ${id}`, columns)}`
    : ""
