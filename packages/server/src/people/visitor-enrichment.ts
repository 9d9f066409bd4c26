// What an import has to tell the visitors: that something became known of some addresses. The room that
// knows visitors does it, in the transaction of the batch (identification/merging/).
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../database/database-error.ts"

export interface KnownAddress {
  readonly organizationId: string
  readonly emailHash: string
}

export class VisitorEnrichment extends Context.Service<
  VisitorEnrichment,
  {
    /**
     * Brings the visitors that have one of the addresses up to date with what is imported: their
     * profile, addresses and primary address. Visitors that have become one person are joined.
     */
    enrich(addresses: ReadonlyArray<KnownAddress>): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/people/VisitorEnrichment") {}
