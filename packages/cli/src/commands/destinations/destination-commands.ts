// `footfall destinations`: where audiences are delivered to.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { referencesResolved } from "../reference.ts"
import { addDestinationsCreate } from "./create.ts"
import { addDestinationsDelete } from "./delete.ts"
import { addDestinationsGet } from "./get.ts"
import { addDestinationsList } from "./list.ts"
import { addDestinationsRotateSecret } from "./rotate-secret.ts"
import { addDestinationsStatus } from "./status.ts"
import { addDestinationsTest } from "./test.ts"
import { addDestinationsUpdate } from "./update.ts"

/** Adds its commands to the group. */
export const addDestinationCommands = (destinations: Command, terminal: Terminal): void => {
  destinations.hook("preAction", referencesResolved(terminal))
  addDestinationsList(destinations, terminal)
  addDestinationsGet(destinations, terminal)
  addDestinationsCreate(destinations, terminal)
  addDestinationsUpdate(destinations, terminal)
  addDestinationsStatus(destinations, terminal)
  addDestinationsDelete(destinations, terminal)
  addDestinationsRotateSecret(destinations, terminal)
  addDestinationsTest(destinations, terminal)
}
