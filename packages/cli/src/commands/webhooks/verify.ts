// `footfall webhooks verify`: whether a request that was kept was signed with a secret. Asks no server.

import { Option, type Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addSecretOptions } from "../../webhook/secret-options.ts"
import type { VerifyOptions } from "../../webhook/verifying.ts"
import { examples } from "../examples.ts"
import { wholeNumber } from "../whole-number.ts"

/** Ten years. */
const TOLERANCE_MAX = 315_360_000

/** Adds the command to its group. */
export const addWebhooksVerify = (webhooks: Command, terminal: Terminal): void => {
  const verify = webhooks
    .command("verify")
    .description(
      "check the signature of a stored request; exit code 0 when it is right, 1 when not",
    )
    .argument(
      "<file>",
      "a request as it came, a line of footfall listen --json, or a body; - reads standard input",
    )
    .addOption(
      new Option(
        "--header <line>",
        "a header, where the file is the body alone; may be repeated",
      ).argParser((line, lines: ReadonlyArray<string> = []) => [...lines, line]),
    )
    .addOption(
      new Option(
        "--tolerance <seconds>",
        "refuse a request that was not sent within this time of now",
      ).argParser(wholeNumber(TOLERANCE_MAX)),
    )
  addSecretOptions(verify)
    .addHelpText(
      "after",
      examples(
        "footfall webhooks verify request.http --secret-file secret.txt",
        "FOOTFALL_WEBHOOK_SECRET=… footfall webhooks verify request.http",
        "footfall webhooks verify body.json --header 'webhook-id: msg_…' --header 'webhook-timestamp: 1773219901' --header 'webhook-signature: v1,…' --secret-file secret.txt",
      ),
    )
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<VerifyOptions>()
      const { verifyStored } = await import("../../webhook/verifying.ts")
      await verifyStored(terminal, file, options)
    })
}
