// `footfall keys list`: the API keys of the organization, revoked ones too.

import type { ApiKey, ListMeta } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"

/** Adds the command to its group. */
export const addKeysList = (keys: Command, terminal: Terminal): void => {
  addListOptions(keys.command("list").description("list the API keys, newest first"), "keys")
    .addHelpText("after", examples("footfall keys list", "footfall keys list --all --json"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "accessToken")
      const pages = limitedPages(client.apiKeys.list().pages(), rowsMax(options))
      await printList(terminal, output, pages, keyListForm(terminal))
    })
}

const keyListForm = (terminal: Terminal): ListForm<ApiKey, ListMeta> => ({
  csvColumns: [
    "id",
    "name",
    "prefix",
    "last4",
    "createdAt",
    "lastUsedAt",
    "expiresAt",
    "revokedAt",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { KeyTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/KeyTable.tsx"),
    ])
    const props = { keys: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(KeyTable, props, columns)
  },
})
