// `footfall webhooks rotate-secret`: gives a visitor webhook a new secret and shows it, this once.

import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { graceHours } from "./grace-hours.ts"
import { webhookId } from "./webhook-id.ts"

/** Adds the command to its group. */
export const addWebhooksRotateSecret = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command("rotate-secret")
    .description("give a visitor webhook a new secret, and show it")
    .argument("<id>", "id of the webhook", webhookId)
    .addOption(
      new Option(
        "--grace-hours <hours>",
        "hours the former secret signs too, 0 to 72 (default: 24)",
      ).argParser(graceHours),
    )
    .addHelpText(
      "after",
      examples(
        "footfall webhooks rotate-secret 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
        "footfall webhooks rotate-secret 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --grace-hours 0",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly graceHours?: number }>()
      const client = await connect(terminal, command, "either")

      const rotated = await client.webhooks.rotateSecret(id, { graceHours: options.graceHours })

      await printResult(terminal, options, rotated, () =>
        lines(
          `${rotated.webhook.name} has a new secret, which is shown this once:`,
          rotated.webhookSecret,
        ),
      )
    })
}
