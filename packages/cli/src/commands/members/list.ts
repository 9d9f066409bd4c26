// `footfall members list`: who belongs to the organization, with which role.

import type { ListMeta, Member } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import {
  organizationIdOf,
  organizationOption,
  type OrganizationOption,
} from "./member-reference.ts"

/** Adds the command to its group. */
export const addMembersList = (members: Command, terminal: Terminal): void => {
  const list = members.command("list").description("list the members, newest first")
  addListOptions(list, "members")
    .addOption(organizationOption())
    .addHelpText("after", examples("footfall members list", "footfall members list --json"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions & OrganizationOption>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "accessToken")
      const organizationId = await organizationIdOf(client, options)
      const pages = limitedPages(client.members.list(organizationId).pages(), rowsMax(options))
      await printList(terminal, output, pages, memberListForm(terminal))
    })
}

const memberListForm = (terminal: Terminal): ListForm<Member, ListMeta> => ({
  csvColumns: ["userId", "email", "name", "role", "createdAt"],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { MemberTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/MemberTable.tsx"),
    ])
    const props = { members: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(MemberTable, props, columns)
  },
})
