// Prints one delivery, as every command does that has one.

import type { Delivery } from "@footfall/sdk"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
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
    return drawn(DeliveryView, { delivery, now: terminal.now, screenColumns: columns }, columns)
  })
