// Exports on the command line: each is named by its audience, its run and its own id.

import type { Command } from "commander"
import { addRunArguments } from "../runs/run-id.ts"
import { uuid } from "../uuid.ts"

/** A parser of the ids of exports. Errors: InvalidArgumentError. */
const exportId = uuid("an export", "footfall exports list <audience-id> <run-id>")

/** Adds `<audience-id>`, `<run-id>` and `<export-id>`. */
export const addExportArguments = (command: Command): Command =>
  addRunArguments(command).argument("<export-id>", "id of the export", exportId)
