// The part of runs in changes of their audience (spec 4.1, 5.8): what is queued is cancelled, of a
// paused audience the daily one alone; what is running finishes.
import { Effect } from "effect"
import type { AudienceChanges } from "../audiences/audience-changes.ts"
import { runTypes } from "./run.ts"
import { RunStore } from "./store.ts"

export const cancelledRuns = Effect.map(RunStore, (store): AudienceChanges["Service"] => ({
  paused: (organizationId, audienceId) =>
    store.cancelQueued({ organizationId, audienceId }, ["daily"]),
  deleted: (organizationId, audienceId) =>
    store.cancelQueued({ organizationId, audienceId }, runTypes),
}))
