// Deliveries on the command line: each is named by its audience and its own id.

import type { Command } from "commander"
import { audienceId } from "../audiences/audience-id.ts"
import { uuid } from "../uuid.ts"

/** A parser of the ids of deliveries. Errors: InvalidArgumentError. */
const deliveryId = uuid("a delivery", "footfall deliveries list <audience-id>")

/** Adds `<audience-id>` and `<delivery-id>`. */
export const addDeliveryArguments = (command: Command): Command =>
  command
    .argument("<audience-id>", "id or name of the audience", audienceId)
    .argument("<delivery-id>", "id of the delivery", deliveryId)

/** For examples in help texts. */
export const EXAMPLE = "70865832-8a6e-409c-95c5-d15bafae1a05 e3897870-520c-4fe5-9d28-03da213e9f49"
