// `footfall visitors`: who came to the sites.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addVisitorsGet } from "./get.ts"
import { addVisitorsList } from "./list.ts"

/** Adds the group to the program. */
export const addVisitorCommands = (program: Command, terminal: Terminal): void => {
  const visitors = program
    .command("visitors")
    .description("the people who were identified on your sites")
    .helpCommand(false)
  addVisitorsList(visitors, terminal)
  addVisitorsGet(visitors, terminal)
}
