// `footfall integrations accounts list`: every connected account.

import type { Command } from "commander"
import { connect } from "../../../connection/connect.ts"
import type { GlobalOptions } from "../../../connection/global-options.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../../../output/output-format.ts"
import { printRows } from "../../../output/print-rows.ts"
import type { Terminal } from "../../../terminal/terminal.ts"
import { examples } from "../../examples.ts"
import { accountForm } from "./account-form.ts"

/** Adds the command to its group. */
export const addAccountsList = (accounts: Command, terminal: Terminal): void => {
  accounts
    .command("list")
    .description("list the connected accounts, newest first")
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText("after", examples("footfall integrations accounts list"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly output?: OutputFormat }>()
      const client = await connect(terminal, command, "accessToken")
      const rows = await client.integrations.accounts()
      await printRows(terminal, options, accountForm(rows, terminal))
    })
}
