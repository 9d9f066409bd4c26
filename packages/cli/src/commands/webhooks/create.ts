// `footfall webhooks create`: registers a visitor webhook and shows its secret, this once.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addWebhookOptions, webhookParams, type WebhookOptions } from "./webhook-options.ts"

/** Adds the command to its group. */
export const addWebhooksCreate = (webhooks: Command, terminal: Terminal): void => {
  addWebhookOptions(
    webhooks
      .command("create")
      .description("register a visitor webhook, and show its secret")
      .argument("<name>", "name of the webhook")
      .argument("<url>", "where it is sent to, https"),
  )
    .addHelpText(
      "after",
      examples(
        "footfall webhooks create CRM https://hooks.example.com/footfall",
        "footfall webhooks create Sales https://hooks.example.com/sales --segment 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
      ),
    )
    .action(async (name: string, url: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & WebhookOptions>()
      const client = await connect(terminal, command, "either")

      const created = await client.webhooks.create({ name, url, ...webhookParams(options) })

      await printResult(terminal, options, created, () =>
        lines(
          `${created.webhook.name} is registered: ${created.webhook.id}`,
          "Its secret, which is shown this once:",
          created.webhookSecret,
        ),
      )
    })
}
