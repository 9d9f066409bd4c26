// `footfall keys`: the API keys of the organization. They need a log-in.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addKeysCreate } from "./create.ts"
import { addKeysList } from "./list.ts"
import { addKeysRevoke } from "./revoke.ts"

/** Adds its commands to the group. */
export const addKeyCommands = (keys: Command, terminal: Terminal): void => {
  addKeysList(keys, terminal)
  addKeysCreate(keys, terminal)
  addKeysRevoke(keys, terminal)
}
