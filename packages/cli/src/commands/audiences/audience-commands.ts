// `footfall audiences`: people who read about topics, looked at before they are saved, and saved.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { referencesResolved } from "../reference.ts"
import { addAudiencesActivate } from "./activate.ts"
import { addAudiencesCreate } from "./create.ts"
import { addAudiencesDelete } from "./delete.ts"
import { addAudiencesFilters } from "./filters.ts"
import { addAudiencesGet } from "./get.ts"
import { addAudiencesList } from "./list.ts"
import { addAudiencesPause } from "./pause.ts"
import { addAudiencesPreview } from "./preview.ts"
import { addAudiencesUpdate } from "./update.ts"
import { addAudiencesValidate } from "./validate.ts"

/** Adds its commands to the group. */
export const addAudienceCommands = (audiences: Command, terminal: Terminal): void => {
  audiences.hook("preAction", referencesResolved(terminal))
  addAudiencesFilters(audiences, terminal)
  addAudiencesValidate(audiences, terminal)
  addAudiencesPreview(audiences, terminal)
  addAudiencesList(audiences, terminal)
  addAudiencesGet(audiences, terminal)
  addAudiencesCreate(audiences, terminal)
  addAudiencesUpdate(audiences, terminal)
  addAudiencesActivate(audiences, terminal)
  addAudiencesPause(audiences, terminal)
  addAudiencesDelete(audiences, terminal)
}
