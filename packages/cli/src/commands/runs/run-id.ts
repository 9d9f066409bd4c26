// Runs on the command line: a run is named by its audience and its own id.

import type { Command } from "commander"
import { audienceId } from "../audiences/audience-id.ts"
import { uuid } from "../uuid.ts"

/** A parser of the ids of runs. Errors: InvalidArgumentError. */
const runId = uuid("a run", "footfall runs list <audience-id>")

/** Adds the two ids. */
export const addRunArguments = (command: Command): Command =>
  command
    .argument("<audience-id>", "id of the audience", audienceId)
    .argument("<run-id>", "id of the run", runId)
