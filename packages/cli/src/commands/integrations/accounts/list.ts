// `footfall integrations accounts list`: every connected account.

import type { Command } from "commander"
import { connect } from "../../../connection/connect.ts"
import type { GlobalOptions } from "../../../connection/global-options.ts"
import { printRows } from "../../../output/print-rows.ts"
import type { Terminal } from "../../../terminal/terminal.ts"
import { examples } from "../../examples.ts"
import { addWholeListOptions, cutList, type ListOptions } from "../../list-options.ts"
import { accountForm } from "./account-form.ts"

/** Adds the command to its group. */
export const addAccountsList = (accounts: Command, terminal: Terminal): void => {
  const list = accounts.command("list").description("list the connected accounts, newest first")
  addWholeListOptions(list, "accounts")
    .addHelpText("after", examples("footfall integrations accounts list"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const client = await connect(terminal, command, "accessToken")
      const cut = cutList(await client.integrations.accounts(), options)
      await printRows(terminal, options, accountForm(cut, terminal))
    })
}
