// `footfall organizations`: whose pixels, visitors and keys they are. They need a log-in.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addOrganizationsCreate } from "./create.ts"
import { addOrganizationsGet } from "./get.ts"
import { addOrganizationsList } from "./list.ts"
import { addOrganizationsUpdate } from "./update.ts"
import { addOrganizationsUse } from "./use.ts"

/** Adds its commands to the group. */
export const addOrganizationCommands = (organizations: Command, terminal: Terminal): void => {
  addOrganizationsList(organizations, terminal)
  addOrganizationsGet(organizations, terminal)
  addOrganizationsCreate(organizations, terminal)
  addOrganizationsUpdate(organizations, terminal)
  addOrganizationsUse(organizations, terminal)
}
