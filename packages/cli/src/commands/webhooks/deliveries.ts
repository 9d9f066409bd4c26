// `footfall webhooks deliveries`: what was sent to a visitor webhook, and what waits.

import type { ListMeta, WebhookDelivery, WebhookDeliveryStatus } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { webhookId } from "./webhook-id.ts"

/** As commander hands them over. */
interface DeliveriesOptions extends GlobalOptions, ListOptions {
  readonly status?: WebhookDeliveryStatus
}

/** Adds the command to its group. */
export const addWebhooksDeliveries = (webhooks: Command, terminal: Terminal): void => {
  addListOptions(
    webhooks
      .command("deliveries")
      .description("list what was sent to a visitor webhook, newest first")
      .argument("<id>", "id of the webhook", webhookId)
      .addOption(
        new Option("--status <status>", "only those in this state").choices([
          "queued",
          "succeeded",
          "failed",
          "skipped",
        ]),
      ),
    "deliveries",
  )
    .addHelpText(
      "after",
      examples(
        "footfall webhooks deliveries 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --status failed",
        "footfall webhooks deliveries 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --all --output ndjson",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<DeliveriesOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const list = client.webhooks.deliveries(id, { status: options.status })
      const pages = limitedPages(list.pages(), rowsMax(options))
      await printList(terminal, output, pages, deliveryForm(terminal))
    })
}

const deliveryForm = (terminal: Terminal): ListForm<WebhookDelivery, ListMeta> => ({
  csvColumns: [
    "id",
    "event",
    "visitorHash",
    "status",
    "attempts",
    "statusCode",
    "errorMessage",
    "nextAttemptAt",
    "createdAt",
    "completedAt",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { WebhookDeliveryTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/WebhookDeliveryTable.tsx"),
    ])
    const props = { deliveries: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(WebhookDeliveryTable, props, columns)
  },
})
