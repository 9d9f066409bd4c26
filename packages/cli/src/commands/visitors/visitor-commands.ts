// `footfall visitors`: who came to the sites.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addVisitorsErase } from "./erase.ts"
import { addVisitorsExport } from "./export.ts"
import { addVisitorsGet } from "./get.ts"
import { addVisitorsList } from "./list.ts"
import { addVisitorsQuery } from "./query.ts"
import { addVisitorsSessions } from "./sessions.ts"

/** Adds its commands to the group. */
export const addVisitorCommands = (visitors: Command, terminal: Terminal): void => {
  addVisitorsList(visitors, terminal)
  addVisitorsGet(visitors, terminal)
  addVisitorsQuery(visitors, terminal)
  addVisitorsSessions(visitors, terminal)
  addVisitorsExport(visitors, terminal)
  addVisitorsErase(visitors, terminal)
}
