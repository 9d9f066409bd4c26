// `footfall destinations activate` and `pause`.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDestinationArguments, EXAMPLE } from "./destination-id.ts"
import { printDestination } from "./print-destination.ts"

/** Adds both commands to their group. */
export const addDestinationsStatus = (destinations: Command, terminal: Terminal): void => {
  for (const { description, status, word } of words) {
    addDestinationArguments(destinations.command(word).description(description))
      .addHelpText("after", examples(`footfall destinations ${word} ${EXAMPLE}`))
      .action(async (audienceId: string, id: string, _options, command: Command) => {
        const client = await connect(terminal, command, "either")
        const destination = await client.destinations.update(audienceId, id, { status })
        await printDestination(terminal, command.optsWithGlobals<GlobalOptions>(), destination)
      })
  }
}

const words = [
  {
    word: "activate",
    status: "active",
    description: "approve a destination and let deliveries begin",
  },
  { word: "pause", status: "paused", description: "pause a destination; what is queued waits" },
] as const
