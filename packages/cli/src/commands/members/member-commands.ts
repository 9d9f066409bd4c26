// `footfall members`: who belongs to the organization. They need a log-in.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addMembersAdd } from "./add.ts"
import { addMembersList } from "./list.ts"
import { addMembersRemove } from "./remove.ts"
import { addMembersRole } from "./role.ts"

/** Adds the group to the program. */
export const addMemberCommands = (program: Command, terminal: Terminal): void => {
  const members = program
    .command("members")
    .description("people of the organization and their roles (needs a log-in)")
    .helpCommand(false)
  addMembersList(members, terminal)
  addMembersAdd(members, terminal)
  addMembersRole(members, terminal)
  addMembersRemove(members, terminal)
}
