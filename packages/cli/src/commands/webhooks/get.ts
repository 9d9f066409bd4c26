// `footfall webhooks get`: one visitor webhook.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { webhookId } from "./webhook-id.ts"

/** Adds the command to its group. */
export const addWebhooksGet = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command("get")
    .description("show one visitor webhook, and how well its receiver does")
    .argument("<id>", "id of the webhook", webhookId)
    .addOption(fieldsOption())
    .addHelpText("after", examples("footfall webhooks get 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"))
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const webhook = await client.webhooks.get(id)

      await printResult(terminal, options, webhook, async (columns) => {
        const [{ drawn }, { VisitorWebhookView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/VisitorWebhookView.tsx"),
        ])
        return drawn(
          VisitorWebhookView,
          { webhook, now: terminal.now, screenColumns: columns },
          columns,
        )
      })
    })
}
