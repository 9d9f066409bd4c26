// `footfall webhooks test`: sends a made-up visitor and tells what the receiver said.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { webhookId } from "./webhook-id.ts"

/** Adds the command to its group. */
export const addWebhooksTest = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command("test")
    .description("send a made-up visitor now, and tell what came of it")
    .argument("<id>", "id of the webhook", webhookId)
    .addHelpText("after", examples("footfall webhooks test 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"))
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "either")

      const result = await client.webhooks.test(id)

      await printResult(terminal, options, result, () =>
        lines(
          result.ok
            ? `The receiver answered ${result.statusCode} after ${result.latencyMs} ms.`
            : `Not accepted, after ${result.latencyMs} ms: ${result.error}`,
        ),
      )
    })
}
