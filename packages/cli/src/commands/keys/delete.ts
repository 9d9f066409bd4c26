// `footfall keys delete`: revokes an API key, for good and everywhere. The list still names it.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { keyId } from "./key-id.ts"

/** Adds the command to its group. */
export const addKeysDelete = (keys: Command, terminal: Terminal): void => {
  keys
    .command("delete")
    .description("revoke an API key; within 5 seconds it is refused everywhere")
    .argument("<id>", "id of the key", keyId)
    .option("--yes", "do it without asking")
    .addHelpText("after", examples("footfall keys delete 5a8d6a3e-6a0f-4a37-8f7b-6a0a3f1d2c44"))
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const client = await connect(terminal, command, "accessToken")
      await requireConsent(terminal, {
        what: `Whatever uses the key ${id} will be refused from now on.`,
        isGiven: options.yes === true,
      })

      const revoked = await client.apiKeys.revoke(id)

      await printResult(terminal, options, { id, ...revoked }, () =>
        lines(`The key ${id} is revoked.`),
      )
    })
}
