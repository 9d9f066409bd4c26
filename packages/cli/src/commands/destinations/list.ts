// `footfall destinations list`: where an audience is delivered to.

import type { Destination } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { printRows, type RowsForm } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addAudienceArgument, EXAMPLE_AUDIENCE } from "./destination-id.ts"

/** Adds the command to its group. */
export const addDestinationsList = (destinations: Command, terminal: Terminal): void => {
  addAudienceArgument(
    destinations.command("list").description("list the destinations of an audience, newest first"),
  )
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText("after", examples(`footfall destinations list ${EXAMPLE_AUDIENCE}`))
    .action(async (audienceId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly output?: OutputFormat }>()
      const client = await connect(terminal, command, "either")
      const rows = await client.destinations.list(audienceId)
      await printRows(terminal, options, destinationForm(rows, terminal))
    })
}

const destinationForm = (
  destinations: ReadonlyArray<Destination>,
  { now }: Terminal,
): RowsForm => ({
  data: destinations,
  rows: destinations,
  csvColumns: [
    "id",
    "name",
    "destinationType",
    "status",
    "validationPolicy",
    "configRevision",
    "webhook.url",
    "webhook.eventTypes",
    "webhook.timeoutMs",
    "automation.connectedAccount.id",
    "automation.config.listId",
    "stats.totalSynced",
    "stats.totalSkipped",
    "stats.totalFailed",
    "stats.lastDeliveredAt",
    "stats.lastErrorCode",
    "createdAt",
    "updatedAt",
  ],
  drawn: async (columns) => {
    const [{ drawn }, { DestinationTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/DestinationTable.tsx"),
    ])
    return drawn(DestinationTable, { destinations, now, screenColumns: columns }, columns)
  },
})
