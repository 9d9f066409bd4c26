// `footfall integrations accounts check`: probes an account now.

import type { Command } from "commander"
import { connect } from "../../../connection/connect.ts"
import type { GlobalOptions } from "../../../connection/global-options.ts"
import { fieldsOption } from "../../../output/output-format.ts"
import { printResult } from "../../../output/print-result.ts"
import { lines } from "../../../terminal/lines.ts"
import type { Terminal } from "../../../terminal/terminal.ts"
import { examples } from "../../examples.ts"
import { accountId } from "../account-id.ts"
import { accountSentence } from "./account-form.ts"

/** Adds the command to its group. */
export const addAccountsCheck = (accounts: Command, terminal: Terminal): void => {
  accounts
    .command("check")
    .description("ask the provider whether the account is good, now")
    .argument("<id>", "id of the account", accountId)
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples("footfall integrations accounts check 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "accessToken")
      const account = await client.integrations.check(id)
      await printResult(terminal, options, account, () => lines(accountSentence(account)))
    })
}
