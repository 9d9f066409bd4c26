// `footfall deliveries list`: the deliveries of an audience.

import type { Delivery, DeliveryStatus, ListMeta } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { audienceId } from "../audiences/audience-id.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { uuid } from "../uuid.ts"

/** As commander hands them over. */
interface DeliveriesListOptions extends GlobalOptions, ListOptions {
  readonly destination?: string
  readonly status?: DeliveryStatus
}

const statuses = [
  "queued",
  "processing",
  "completed",
  "failed",
  "cancelled",
] satisfies ReadonlyArray<DeliveryStatus>

/** Adds the command to its group. */
export const addDeliveriesList = (deliveries: Command, terminal: Terminal): void => {
  addListOptions(
    deliveries
      .command("list")
      .description("list the deliveries of an audience, newest first")
      .argument("<audience-id>", "id or name of the audience", audienceId)
      .addOption(
        new Option("--destination <id>", "only those to this destination").argParser(
          uuid("a destination", "footfall destinations list <audience-id>"),
        ),
      )
      .addOption(new Option("--status <status>", "only those of this status").choices(statuses)),
    "deliveries",
  )
    .addHelpText(
      "after",
      examples(
        "footfall deliveries list 70865832-8a6e-409c-95c5-d15bafae1a05",
        "footfall deliveries list 70865832-8a6e-409c-95c5-d15bafae1a05 --status failed --json",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<DeliveriesListOptions>()
      const { destination: destinationId, status } = options
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "accessToken")
      const list = client.deliveries.list(id, { destinationId, status })
      const pages = limitedPages(list.pages(), rowsMax(options))
      await printList(terminal, output, pages, deliveryListForm(terminal))
    })
}

const deliveryListForm = (terminal: Terminal): ListForm<Delivery, ListMeta> => ({
  csvColumns: [
    "id",
    "destinationId",
    "mode",
    "status",
    "sourceRunId",
    "baselineRunId",
    "sourceCount",
    "processedCount",
    "sentCount",
    "skippedCount",
    "failedCount",
    "attempts",
    "nextAttemptAt",
    "retryOfDeliveryId",
    "errorCode",
    "errorMessage",
    "startedAt",
    "completedAt",
    "createdAt",
    "updatedAt",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { DeliveryTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/DeliveryTable.tsx"),
    ])
    const props = { deliveries: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(DeliveryTable, props, columns)
  },
})
