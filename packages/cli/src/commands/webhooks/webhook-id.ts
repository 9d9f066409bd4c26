// Visitor webhooks and their deliveries on the command line.

import { uuid } from "../uuid.ts"

/** A parser of the ids of visitor webhooks. Errors: InvalidArgumentError. */
export const webhookId = uuid("a visitor webhook", "footfall webhooks list")

/** A parser of the ids of what was sent to one. Errors: InvalidArgumentError. */
export const webhookDeliveryId = uuid(
  "a webhook delivery",
  "footfall webhooks deliveries <webhook>",
)
