// `footfall webhooks delete`: deletes a visitor webhook. What it has queued is skipped.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { webhookId } from "./webhook-id.ts"

/** Adds the command to its group. */
export const addWebhooksDelete = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command("delete")
    .description("delete a visitor webhook; what it has queued is skipped")
    .argument("<id>", "id of the webhook", webhookId)
    .option("--yes", "do it without asking")
    .addHelpText("after", examples("footfall webhooks delete 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"))
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const client = await connect(terminal, command, "either")
      await requireConsent(terminal, {
        what: `Webhook ${id} will be deleted, and what it has queued is skipped.`,
        isGiven: options.yes === true,
      })

      const deleted = await client.webhooks.delete(id)

      await printResult(terminal, options, { id, ...deleted }, () =>
        lines(`Webhook ${id} is deleted.`),
      )
    })
}
