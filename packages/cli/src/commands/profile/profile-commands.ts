// `footfall profile`: which servers and keys this computer knows.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addProfileAdd } from "./add.ts"
import { addProfileList } from "./list.ts"
import { addProfileRemove } from "./remove.ts"
import { addProfileUse } from "./use.ts"

/** Adds the group to the program. */
export const addProfileCommands = (program: Command, terminal: Terminal): void => {
  const profile = program
    .command("profile")
    .description("servers and keys this computer knows")
    .helpCommand(false)
  addProfileAdd(profile, terminal)
  addProfileList(profile, terminal)
  addProfileUse(profile, terminal)
  addProfileRemove(profile, terminal)
}
