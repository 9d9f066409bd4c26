// `footfall deliveries`: what was sent to the destinations of an audience.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { referencesResolved } from "../reference.ts"
import { addDeliveriesCancel } from "./cancel.ts"
import { addDeliveriesFailures } from "./failures.ts"
import { addDeliveriesGet } from "./get.ts"
import { addDeliveriesList } from "./list.ts"
import { addDeliveriesRetry } from "./retry.ts"

/** Adds its commands to the group. */
export const addDeliveryCommands = (deliveries: Command, terminal: Terminal): void => {
  deliveries.hook("preAction", referencesResolved(terminal))
  addDeliveriesList(deliveries, terminal)
  addDeliveriesGet(deliveries, terminal)
  addDeliveriesFailures(deliveries, terminal)
  addDeliveriesRetry(deliveries, terminal)
  addDeliveriesCancel(deliveries, terminal)
}
