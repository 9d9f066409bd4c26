// Where the ids of new sessions and visitors come from: random, in this one place, so that a test can
// put a counter there and get the same rows from the same events.
import { randomUUID } from "node:crypto"
import { Context } from "effect"

export const NewId = Context.Reference<() => string>("@footfall/server/identification/NewId", {
  defaultValue: () => randomUUID,
})
