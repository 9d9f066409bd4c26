// What an erasure takes out of rooms that come later: signals, results of runs, export files, deliveries.
// Each of them has a part; the join puts them together, in the order of the rooms.
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"

/**
 * Takes the person out of what a room keeps. Part of the erasure's transaction, which may be repeated as a
 * whole: does nothing but SQL. What is no row, a file for instance, is marked here and removed later.
 */
export type ErasurePart = (person: ErasedPerson) => Effect.Effect<void, DatabaseError>

export class LaterErasure extends Context.Service<
  LaterErasure,
  {
    /**
     * Waits for whoever else writes what the parts change, until the transaction ends. Before the turn of the
     * organization, because they may take long.
     */
    waitForOthers(organizationId: string): Effect.Effect<void, DatabaseError>
    /** In this order. */
    readonly parts: ReadonlyArray<ErasurePart>
    /** Whether any of the rooms knows the address, by its SHA-256. */
    knows(organizationId: string, emailHash: string): Effect.Effect<boolean, DatabaseError>
  }
>()("@footfall/server/identification/LaterErasure") {}

// Whom an erasure is about: everything that the organization, and later rooms, may know the person by.
/** An address of the person; the email is null where only its hash is known. */
export interface KnownAddress {
  /** SHA-256, lower-case hex. */
  readonly emailHash: string
  readonly email: string | null
}

export interface ErasedPerson {
  readonly organizationId: string
  readonly visitorId: string
  readonly addresses: ReadonlyArray<KnownAddress>
}
