// What an erasure deletes in later rooms: signals, results of runs, export files, deliveries. Each room provides a
// part; the server combines them in the order of the rooms.
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import type { KeptKind } from "./kept-store.ts"

/**
 * Deletes the person from what a room stores. Runs in the erasure's transaction, which may be retried as a whole, so it
 * must only use SQL. Anything outside the database, such as a file, is marked here and removed later.
 */
export type ErasurePart = (
  person: ErasedPerson & {
    /** The receipt, which a part may add to. */
    readonly erasureId: string
  },
) => Effect.Effect<void, DatabaseError>

export class LaterErasure extends Context.Service<
  LaterErasure,
  {
    /**
     * Waits for other writers of what the parts change, and blocks new ones until the transaction ends. Runs before the
     * organization's turn, because it may take long.
     */
    waitForOthers(organizationId: string): Effect.Effect<void, DatabaseError>
    /** In this order. */
    readonly parts: ReadonlyArray<ErasurePart>
    /** What the parts delete, by kind. */
    kept(person: ErasedPerson): ReadonlyArray<KeptKind>
    /** Whether any of the rooms knows the address, by its SHA-256. */
    knows(organizationId: string, emailHash: string): Effect.Effect<boolean, DatabaseError>
  }
>()("@footfall/server/identification/LaterErasure") {}

// Whom an erasure concerns: everything by which the organization and later rooms may know the person.
/** One of the person's addresses; the email is null if only its hash is known. */
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
