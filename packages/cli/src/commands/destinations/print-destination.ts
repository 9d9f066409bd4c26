// A destination as every command that changes one prints it.

import type { Destination } from "@footfall/sdk"
import { printResult } from "../../output/print-result.ts"
import type { OutputOptions } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"

/** The document, or the screen. */
export const printDestination = (
  terminal: Terminal,
  options: OutputOptions,
  destination: Destination,
): Promise<void> =>
  printResult(terminal, options, destination, async (columns) => {
    const [{ drawn }, { DestinationView }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/DestinationView.tsx"),
    ])
    return drawn(DestinationView, { destination, now: terminal.now }, columns)
  })
