// `footfall deliveries`: what was sent to the destinations of an audience.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addDeliveriesCancel } from "./cancel.ts"
import { addDeliveriesFailures } from "./failures.ts"
import { addDeliveriesGet } from "./get.ts"
import { addDeliveriesList } from "./list.ts"
import { addDeliveriesRetry } from "./retry.ts"

/** Adds the group to the program. */
export const addDeliveryCommands = (program: Command, terminal: Terminal): void => {
  const deliveries = program
    .command("deliveries")
    .description("deliveries of an audience: what was sent to its destinations, and what failed")
    .helpCommand(false)
  addDeliveriesList(deliveries, terminal)
  addDeliveriesGet(deliveries, terminal)
  addDeliveriesFailures(deliveries, terminal)
  addDeliveriesRetry(deliveries, terminal)
  addDeliveriesCancel(deliveries, terminal)
}
