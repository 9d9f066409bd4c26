// `footfall keys`: the API keys of the organization. They need a log-in.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addKeysCreate } from "./create.ts"
import { addKeysDelete } from "./delete.ts"
import { addKeysGet } from "./get.ts"
import { addKeysList } from "./list.ts"

/** Adds its commands to the group. */
export const addKeyCommands = (keys: Command, terminal: Terminal): void => {
  addKeysList(keys, terminal)
  addKeysGet(keys, terminal)
  addKeysCreate(keys, terminal)
  addKeysDelete(keys, terminal)
}
