// `footfall runs`: who is in an audience, found on one day and kept.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { referencesResolved } from "../reference.ts"
import { addRunsCancel } from "./cancel.ts"
import { addRunsExport } from "./export.ts"
import { addRunsGet } from "./get.ts"
import { addRunsList } from "./list.ts"
import { addRunsResults } from "./results.ts"
import { addRunsStart } from "./start.ts"
import { addRunsStats } from "./stats.ts"

/** Adds its commands to the group. */
export const addRunCommands = (runs: Command, terminal: Terminal): void => {
  runs.hook("preAction", referencesResolved(terminal))
  addRunsStart(runs, terminal)
  addRunsList(runs, terminal)
  addRunsGet(runs, terminal)
  addRunsCancel(runs, terminal)
  addRunsStats(runs, terminal)
  addRunsResults(runs, terminal)
  addRunsExport(runs, terminal)
}
