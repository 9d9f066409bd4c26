// `footfall destinations list`: where an audience is delivered to.

import type { Destination } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows, type RowsForm } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addWholeListOptions, cutList, type CutList, type ListOptions } from "../list-options.ts"
import { addAudienceArgument, EXAMPLE_AUDIENCE } from "./destination-id.ts"

/** Adds the command to its group. */
export const addDestinationsList = (destinations: Command, terminal: Terminal): void => {
  const list = destinations
    .command("list")
    .description("list the destinations of an audience, newest first")
  addWholeListOptions(addAudienceArgument(list), "destinations")
    .addHelpText("after", examples(`footfall destinations list ${EXAMPLE_AUDIENCE}`))
    .action(async (audienceId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const client = await connect(terminal, command, "either")
      const cut = cutList(await client.destinations.list(audienceId), options)
      await printRows(terminal, options, destinationForm(cut, terminal))
    })
}

const destinationForm = ({ rows, meta }: CutList<Destination>, { now }: Terminal): RowsForm => ({
  data: rows,
  meta,
  rows,
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
    const props = { destinations: rows, meta, now, screenColumns: columns }
    return drawn(DestinationTable, props, columns)
  },
})
