// `footfall destinations get`: one destination, and how its deliveries went.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDestinationArguments, EXAMPLE } from "./destination-id.ts"
import { printDestination } from "./print-destination.ts"

/** Adds the command to its group. */
export const addDestinationsGet = (destinations: Command, terminal: Terminal): void => {
  addDestinationArguments(destinations.command("get").description("show one destination"))
    .addOption(fieldsOption())
    .addHelpText("after", examples(`footfall destinations get ${EXAMPLE}`))
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const client = await connect(terminal, command, "either")
      const destination = await client.destinations.get(audienceId, id)
      await printDestination(terminal, command.optsWithGlobals<GlobalOptions>(), destination)
    })
}
