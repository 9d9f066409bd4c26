// `footfall members`: who belongs to the organization. They need a log-in.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addMembersCreate } from "./create.ts"
import { addMembersDelete } from "./delete.ts"
import { addMembersGet } from "./get.ts"
import { addMembersList } from "./list.ts"
import { addMembersUpdate } from "./update.ts"

/** Adds its commands to the group. */
export const addMemberCommands = (members: Command, terminal: Terminal): void => {
  addMembersList(members, terminal)
  addMembersGet(members, terminal)
  addMembersCreate(members, terminal)
  addMembersUpdate(members, terminal)
  addMembersDelete(members, terminal)
}
