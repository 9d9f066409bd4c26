// What an erasure takes out of the signals, which are of a later room.
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"

export class SignalErasure extends Context.Service<
  SignalErasure,
  {
    /**
     * Part of the erasure's transaction: takes the addresses (by SHA-256) out of the organization's
     * signals, and out of the shared ones where it is the operator's.
     */
    erase(
      organizationId: string,
      emailHashes: ReadonlyArray<string>,
    ): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/identification/SignalErasure") {}
