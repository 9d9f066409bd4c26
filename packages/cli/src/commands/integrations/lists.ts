// `footfall integrations lists`: the mailing lists of a connected account.

import type { MailingList } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows, type RowsForm } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addWholeListOptions, cutList, type CutList, type ListOptions } from "../list-options.ts"
import { accountId } from "./account-id.ts"

/** Adds the command to its group. */
export const addIntegrationsLists = (integrations: Command, terminal: Terminal): void => {
  const list = integrations
    .command("lists")
    .description("list the mailing lists of a connected account, as the provider orders them")
    .argument("<account>", "id of the account", accountId)
  addWholeListOptions(list, "lists")
    .addHelpText(
      "after",
      examples("footfall integrations lists 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"),
    )
    .action(async (account: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const client = await connect(terminal, command, "accessToken")
      const cut = cutList(await client.integrations.mailingLists(account), options)
      await printRows(terminal, options, listForm(cut))
    })
}

const listForm = ({ rows, meta }: CutList<MailingList>): RowsForm => ({
  data: rows,
  meta,
  rows,
  csvColumns: [
    "id",
    "name",
    "doubleOptIn",
    "tags",
    "counts.pending",
    "counts.subscribed",
    "counts.unsubscribed",
  ],
  drawn: async (columns) => {
    const [{ drawn }, { MailingListTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/MailingListTable.tsx"),
    ])
    return drawn(MailingListTable, { lists: rows, meta, screenColumns: columns }, columns)
  },
})
