// What becomes of destinations when their audience changes: with a deleted one they stop for good, and
// what waits for them is cancelled (spec 5.8); a pause leaves them as they are.
import { Effect } from "effect"
import { DestinationStore } from "./store.ts"

export const stoppedDestinations = Effect.map(DestinationStore, ({ deleteOfAudience }) => ({
  paused: () => Effect.void,
  deleted: (organizationId: string, audienceId: string) =>
    deleteOfAudience({ organizationId, audienceId }),
}))
