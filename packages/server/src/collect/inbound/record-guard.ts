// Who must not be kept: a later room knows suppression rules and erased people, and provides this service (spec 15.3.8).
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"

/** Whom a record is about. */
export interface NamedRecord {
  /** In both spellings of an international address. */
  readonly emailHashes: ReadonlyArray<string>
  /** In the form of rules; null without an address in full. */
  readonly emailDomain: string | null
  readonly companyDomain: string | null
  readonly industry: string | null
}

export class RecordGuard extends Context.Service<
  RecordGuard,
  {
    /** The places of the records that a rule in force or an erasure forbids. Runs in the caller's transaction. */
    forbidden(
      organizationId: string,
      records: ReadonlyArray<NamedRecord>,
    ): Effect.Effect<ReadonlySet<number>, DatabaseError>
  }
>()("@footfall/server/inbound/RecordGuard") {}
