// `footfall audiences`: people who read about topics, before they are saved as an audience.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addAudiencesFilters } from "./filters.ts"
import { addAudiencesPreview } from "./preview.ts"
import { addAudiencesValidate } from "./validate.ts"

/** Adds the group to the program. */
export const addAudienceCommands = (program: Command, terminal: Terminal): void => {
  const audiences = program
    .command("audiences")
    .description("people who read about topics: what to filter by, and whom a choice holds")
    .helpCommand(false)
  addAudiencesFilters(audiences, terminal)
  addAudiencesValidate(audiences, terminal)
  addAudiencesPreview(audiences, terminal)
}
