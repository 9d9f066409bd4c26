// `footfall destinations delete`: deletes for good. What was delivered stays at the receiver.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addDestinationArguments, EXAMPLE } from "./destination-id.ts"

/** Adds the command to its group. */
export const addDestinationsDelete = (destinations: Command, terminal: Terminal): void => {
  addDestinationArguments(
    destinations.command("delete").description("delete a destination; what is queued is cancelled"),
  )
    .option("--yes", "do it without asking")
    .addHelpText("after", examples(`footfall destinations delete ${EXAMPLE}`))
    .action(async (audienceId: string, id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const client = await connect(terminal, command, "either")
      await requireConsent(terminal, {
        what: `Destination ${id} will be deleted; nothing is removed at the receiver.`,
        isGiven: options.yes === true,
      })
      const deleted = await client.destinations.delete(audienceId, id)
      await printResult(terminal, options, { id, ...deleted }, () =>
        lines(`Destination ${id} is deleted.`),
      )
    })
}
