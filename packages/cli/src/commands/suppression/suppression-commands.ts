// `footfall suppression`: who costs nothing and triggers nothing.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addSuppressionAdd } from "./add.ts"
import { addSuppressionApply } from "./apply.ts"
import { addSuppressionExport } from "./export.ts"
import { addSuppressionImport } from "./import.ts"
import { addSuppressionIndustries } from "./industries.ts"
import { addSuppressionList } from "./list.ts"
import { addSuppressionPlan } from "./plan.ts"
import { addSuppressionRemove } from "./remove.ts"
import { addSuppressionWhy } from "./why.ts"

/** Adds its commands to the group. */
export const addSuppressionCommands = (suppression: Command, terminal: Terminal): void => {
  addSuppressionList(suppression, terminal)
  addSuppressionAdd(suppression, terminal)
  addSuppressionRemove(suppression, terminal)
  addSuppressionImport(suppression, terminal)
  addSuppressionPlan(suppression, terminal)
  addSuppressionApply(suppression, terminal)
  addSuppressionExport(suppression, terminal)
  addSuppressionIndustries(suppression, terminal)
  addSuppressionWhy(suppression, terminal)
}
