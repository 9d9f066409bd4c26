// Notifies the visitors' room that imports changed what is known about some addresses. The implementation
// (identification/merging/) runs in the transaction of the batch.
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"

export interface KnownAddress {
  readonly organizationId: string
  readonly emailHash: string
}

export class VisitorEnrichment extends Context.Service<
  VisitorEnrichment,
  {
    /**
     * Updates the profile, addresses and primary address of the visitors with one of the addresses. Merges visitors
     * that turn out to be one person.
     */
    enrich(addresses: ReadonlyArray<KnownAddress>): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/people/VisitorEnrichment") {}
