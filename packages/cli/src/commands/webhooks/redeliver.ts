// `footfall webhooks redeliver`: sends something again that was sent to a visitor webhook.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { webhookDeliveryId, webhookId } from "./webhook-id.ts"

/** Adds the command to its group. */
export const addWebhooksRedeliver = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command("redeliver")
    .description("send one delivery again, once")
    .argument("<webhook>", "id of the webhook", webhookId)
    .argument("<delivery>", "id of the delivery", webhookDeliveryId)
    .addHelpText(
      "after",
      examples(
        "footfall webhooks redeliver 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 9b2c1b8e-3f57-4d39-8a55-6a3b0c1d2e3f",
      ),
    )
    .action(async (webhook: string, deliveryId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const delivery = await client.webhooks.redeliver(webhook, deliveryId)

      await printResult(terminal, options, delivery, () =>
        lines(`It is queued again. Look at it: footfall webhooks deliveries ${webhook}`),
      )
    })
}
