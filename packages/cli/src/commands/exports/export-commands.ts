// `footfall exports`: files of the people a run found, which the server keeps for 7 days.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { referencesResolved } from "../reference.ts"
import { addExportsCreate } from "./create.ts"
import { addExportsGet } from "./get.ts"
import { addExportsList } from "./list.ts"

/** Adds its commands to the group. */
export const addExportCommands = (exports: Command, terminal: Terminal): void => {
  exports.hook("preAction", referencesResolved(terminal))
  addExportsList(exports, terminal)
  addExportsGet(exports, terminal)
  addExportsCreate(exports, terminal)
}
