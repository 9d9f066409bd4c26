// `footfall integrations accounts delete`: removes an account and its credentials.

import type { Command } from "commander"
import { connect } from "../../../connection/connect.ts"
import type { GlobalOptions } from "../../../connection/global-options.ts"
import { printResult } from "../../../output/print-result.ts"
import { requireConsent } from "../../../terminal/consent.ts"
import { lines } from "../../../terminal/lines.ts"
import type { Terminal } from "../../../terminal/terminal.ts"
import { examples } from "../../examples.ts"
import { accountId } from "../account-id.ts"

/** Adds the command to its group. */
export const addAccountsDelete = (accounts: Command, terminal: Terminal): void => {
  accounts
    .command("delete")
    .description("remove an account; destinations that use it need attention")
    .argument("<id>", "id of the account", accountId)
    .option("--yes", "do it without asking")
    .addHelpText(
      "after",
      examples("footfall integrations accounts delete 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const client = await connect(terminal, command, "accessToken")
      await requireConsent(terminal, {
        what: `Account ${id} will be removed, and destinations that use it stop.`,
        isGiven: options.yes === true,
      })
      const deleted = await client.integrations.disconnect(id)
      await printResult(terminal, options, { id, ...deleted }, () =>
        lines(`Account ${id} is removed.`),
      )
    })
}
