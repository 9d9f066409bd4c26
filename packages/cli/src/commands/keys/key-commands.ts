// `footfall keys`: the API keys of the organization. They need a log-in.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addKeysCreate } from "./create.ts"
import { addKeysList } from "./list.ts"
import { addKeysRevoke } from "./revoke.ts"

/** Adds the group to the program. */
export const addKeyCommands = (program: Command, terminal: Terminal): void => {
  const keys = program
    .command("keys")
    .description("API keys of the organization (needs a log-in)")
    .helpCommand(false)
  addKeysList(keys, terminal)
  addKeysCreate(keys, terminal)
  addKeysRevoke(keys, terminal)
}
