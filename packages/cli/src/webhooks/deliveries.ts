// The commands of `footfall webhooks` about deliveries.

import type { WebhookDeliveryStatus } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { webhookId } from "../command/ids.ts"
import { latest } from "../command/latest.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { view } from "../output/print-result.ts"
import { lines } from "../terminal/terminal.ts"
import { visitorNamed } from "../visitors/selection.ts"
import { webhookDeliveryList } from "./lists.ts"

/** Parses the id of a delivery or `latest`. The webhook is the argument before it. Errors: InvalidArgumentError. */
const webhookDeliveryId = latest(
  "a webhook delivery",
  "footfall webhooks deliveries <webhook>",
  (client, [webhook = ""]) => client.webhooks.deliveries(webhook, { limit: 1 }),
  ([webhook]) => ["This webhook has no deliveries.", `Run: footfall webhooks test ${webhook}`],
)

interface DeliveriesOptions extends ListOptions {
  readonly status?: WebhookDeliveryStatus
  readonly person?: string
}

export const webhookDeliveryCommands = [
  define<DeliveriesOptions, [id: string]>("deliveries", {
    description: "list the deliveries of a visitor webhook, newest first",
    takes: (command) =>
      addListOptions(
        command
          .argument("<id>", "id or name of the webhook", webhookId)
          .addOption(
            new Option("--status <status>", "only with this status").choices([
              "queued",
              "succeeded",
              "failed",
              "skipped",
            ]),
          )
          .option("--person <email>", "only for the person with this email address, or its hash"),
        "deliveries",
      ),
    fields: "id,status,attempts",
    examples: [
      "footfall webhooks deliveries CRM --status failed",
      "footfall webhooks deliveries CRM --person nadia.osei@northwind-robotics.example",
      "footfall webhooks deliveries CRM --all --output ndjson",
    ],
    credential: "either",
    run: async ({ connect, options, printList }, id) => {
      const client = await connect()
      await printList(
        client.webhooks.deliveries(id, {
          status: options.status,
          visitorHash:
            options.person === undefined ? undefined : (await visitorNamed(options.person)).id,
        }),
        webhookDeliveryList,
      )
    },
  }),

  define<object, [webhook: string, deliveryId: string]>("delivery", {
    description: "show one delivery, with the body that was sent",
    takes: (command) =>
      command
        .argument("<webhook>", "id or name of the webhook", webhookId)
        .argument("<delivery>", "id of the delivery, or `latest`", webhookDeliveryId),
    examples: [
      "footfall webhooks delivery CRM latest",
      "footfall webhooks delivery CRM latest --json | jq -r .data.payload",
    ],
    credential: "either",
    fields: "status,attempts,payload",
    run: async ({ connect, print, terminal }, webhook, deliveryId) => {
      const client = await connect()

      const delivery = await client.webhooks.delivery(webhook, deliveryId)

      await print(
        delivery,
        view(async () => (await import("./views.tsx")).WebhookDeliveryView, {
          delivery,
          now: terminal.now,
        }),
      )
    },
  }),

  define<object, [webhook: string, deliveryId: string]>("redeliver", {
    description: "resend one delivery",
    takes: (command) =>
      command
        .argument("<webhook>", "id or name of the webhook", webhookId)
        .argument("<delivery>", "id of the delivery, or `latest`", webhookDeliveryId),
    examples: ["footfall webhooks redeliver CRM latest"],
    credential: "either",
    run: async ({ connect, print }, webhook, deliveryId) => {
      const client = await connect()

      const delivery = await client.webhooks.redeliver(webhook, deliveryId)

      await print(delivery, () =>
        lines(`Queued again. To see it: footfall webhooks deliveries ${webhook}`),
      )
    },
  }),
]
