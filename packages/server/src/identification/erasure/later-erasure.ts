// What an erasure takes out of rooms that come later: signals, results of runs, export files, deliveries.
// Each of them has a part; the join puts them together, in the order of the rooms.
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import type { ErasedPerson } from "./erased-person.ts"

/**
 * Takes the person out of what a room keeps. Part of the erasure's transaction, which may be repeated as a
 * whole: does nothing but SQL. What is no row, a file for instance, is marked here and removed later.
 */
export type ErasurePart = (person: ErasedPerson) => Effect.Effect<void, DatabaseError>

export class LaterErasure extends Context.Service<
  LaterErasure,
  {
    /** In this order. */
    readonly parts: ReadonlyArray<ErasurePart>
    /** Whether any of the rooms knows the address, by its SHA-256. */
    knows(organizationId: string, emailHash: string): Effect.Effect<boolean, DatabaseError>
  }
>()("@footfall/server/identification/LaterErasure") {}
