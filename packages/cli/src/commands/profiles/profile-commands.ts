// `footfall profiles`: which servers and keys this computer knows.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addProfilesCreate } from "./create.ts"
import { addProfilesDelete } from "./delete.ts"
import { addProfilesGet } from "./get.ts"
import { addProfilesList } from "./list.ts"
import { addProfilesUpdate } from "./update.ts"
import { addProfilesUse } from "./use.ts"

/** Adds its commands to the group. */
export const addProfileCommands = (profiles: Command, terminal: Terminal): void => {
  addProfilesList(profiles, terminal)
  addProfilesGet(profiles, terminal)
  addProfilesCreate(profiles, terminal)
  addProfilesUpdate(profiles, terminal)
  addProfilesUse(profiles, terminal)
  addProfilesDelete(profiles, terminal)
}
