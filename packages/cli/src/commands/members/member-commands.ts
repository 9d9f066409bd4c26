// `footfall members`: who belongs to the organization. They need a log-in.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addMembersAdd } from "./add.ts"
import { addMembersList } from "./list.ts"
import { addMembersRemove } from "./remove.ts"
import { addMembersRole } from "./role.ts"

/** Adds its commands to the group. */
export const addMemberCommands = (members: Command, terminal: Terminal): void => {
  addMembersList(members, terminal)
  addMembersAdd(members, terminal)
  addMembersRole(members, terminal)
  addMembersRemove(members, terminal)
}
