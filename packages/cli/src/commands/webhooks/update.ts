// `footfall webhooks update`: changes what is given of a visitor webhook, stops it, or starts it again.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { webhookId } from "./webhook-id.ts"
import { addWebhookOptions, webhookParams, type WebhookOptions } from "./webhook-options.ts"

/** As commander hands them over. */
interface UpdateOptions extends GlobalOptions, WebhookOptions {
  readonly name?: string
  readonly url?: string
  readonly allPeople?: true
  readonly allPixels?: true
}

/** Adds the command to its group. */
export const addWebhooksUpdate = (webhooks: Command, terminal: Terminal): void => {
  addWebhookOptions(
    webhooks
      .command("update")
      .description("change a visitor webhook, stop it, or start it again")
      .argument("<id>", "id of the webhook", webhookId)
      .option("--name <name>", "new name")
      .option("--url <url>", "new address"),
  )
    .option("--all-people", "of whatever segment")
    .option("--all-pixels", "whichever pixel sees them")
    .addHelpText(
      "after",
      examples(
        "footfall webhooks update 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --status active",
        "footfall webhooks update 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --trigger every_update --all-people",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UpdateOptions>()
      const changes = {
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.url === undefined ? {} : { url: options.url }),
        ...webhookParams(options),
        ...(options.allPeople === undefined ? {} : { segmentId: null }),
        ...(options.allPixels === undefined ? {} : { pixelId: null }),
      }
      if (Object.keys(changes).length === 0) {
        throw usageError("There is nothing to change.", "Run: footfall webhooks update --help")
      }
      const client = await connect(terminal, command, "either")

      const webhook = await client.webhooks.update(id, changes)

      await printResult(terminal, options, webhook, () =>
        lines(`${webhook.name} is changed; it is ${webhook.status}.`),
      )
    })
}
