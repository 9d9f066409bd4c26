// What later rooms do when an audience changes. This room declares it and calls it inside the transaction
// of the change, with the audience locked; runs, destinations and deliveries do their part, and the join
// puts the parts together (spec 4.1, 5.8).
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../database/database-error.ts"

export class AudienceChanges extends Context.Service<
  AudienceChanges,
  {
    /** A queued daily run is cancelled; a running run finishes. */
    paused(organizationId: string, audienceId: string): Effect.Effect<void, DatabaseError>
    /** Queued runs and deliveries are cancelled, destinations stop, for good. */
    deleted(organizationId: string, audienceId: string): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/audiences/AudienceChanges") {}
