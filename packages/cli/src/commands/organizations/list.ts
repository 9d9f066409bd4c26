// `footfall organizations list`: the organizations of the user who is logged in.

import type { ListMeta, Organization } from "@footfall/sdk"
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
export const addOrganizationsList = (organizations: Command, terminal: Terminal): void => {
  const list = organizations.command("list").description("list your organizations, newest first")
  addListOptions(list, "organizations")
    .addHelpText("after", examples("footfall organizations list"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "accessToken")
      const pages = limitedPages(client.organizations.list().pages(), rowsMax(options))
      await printList(terminal, output, pages, organizationListForm)
    })
}

const organizationListForm: ListForm<Organization, ListMeta> = {
  csvColumns: ["id", "name", "slug", "status", "settings", "createdAt", "updatedAt"],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { OrganizationTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/OrganizationTable.tsx"),
    ])
    return drawn(OrganizationTable, { organizations: data, meta, screenColumns: columns }, columns)
  },
}
