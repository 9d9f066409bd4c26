// `footfall profile`: which servers and keys this computer knows.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addProfileAdd } from "./add.ts"
import { addProfileList } from "./list.ts"
import { addProfileRemove } from "./remove.ts"
import { addProfileUse } from "./use.ts"

/** Adds its commands to the group. */
export const addProfileCommands = (profile: Command, terminal: Terminal): void => {
  addProfileAdd(profile, terminal)
  addProfileList(profile, terminal)
  addProfileUse(profile, terminal)
  addProfileRemove(profile, terminal)
}
