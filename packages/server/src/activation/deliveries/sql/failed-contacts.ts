// A single failed contact of a delivery (spec 5.10.15, 5.10.16): what is stored about it, its position in the batches,
// and the batch of a delivery that retries only this contact.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import { type ResultDbRow, resultColumns } from "../../../intent/runs/results/result-row.ts"
import type { DeliveryKey, FailedContact } from "../delivery.ts"
import { type ChangeLetter, changeOf, type PresentContact } from "../plan.ts"
import { suppressedPlaces } from "./contacts.ts"

export type FailedContactRow = Omit<FailedContact, "messageId" | "payload">

export interface FailedContactKey extends DeliveryKey {
  readonly hashedEmail: string
}

interface Place extends ResultDbRow {
  readonly batchIndex: number
  readonly place: number
  readonly sequence: number
  readonly change: ChangeLetter
}

export const failedContacts = (sql: SqlClient.SqlClient) => {
  const hashOf = ({ hashedEmail }: FailedContactKey) => sql`decode(${hashedEmail}, 'hex')`

  /** The delivery's batch that contains the contact; no row once its result is deleted. */
  const placeIn = (key: FailedContactKey, sourceRunId: string) => sql`
    from run_result as result
    cross join lateral (
      select batch.batch_index, batch.sequence, batch.changes,
        array_position(batch.positions, result.position) as place
      from delivery_batch as batch
      where batch.organization_id = ${key.organizationId} and batch.delivery_id = ${key.deliveryId}
        and result.position = any (batch.positions)
      limit 1
    ) as piece
    where result.organization_id = ${key.organizationId} and result.run_id = ${sourceRunId}
      and result.hashed_email = ${hashOf(key)} and result.position > 0`

  return {
    /** Undefined if it did not fail in this delivery, or was erased since. */
    failedContact: (key: FailedContactKey): Effect.Effect<FailedContactRow | undefined> =>
      sql<FailedContactRow>`
        select encode(hashed_email, 'hex') as "hashedEmail", error_code as "errorCode",
          error_message as "errorMessage", status_code as "statusCode", attempts,
          ${sql.literal(isoTime("last_attempt_at"))} as "lastAttemptAt",
          coalesce(tries, '[]') as tries
        from delivery_failure
        where organization_id = ${key.organizationId} and delivery_id = ${key.deliveryId}
          and hashed_email = ${hashOf(key)}`.pipe(
        Effect.map(([row]) => row),
        Effect.orDie,
      ),

    /**
     * The contact as it would be sent now. Undefined if its result is no longer stored or a rule in force matches it.
     */
    sendableContact: Effect.fnUntraced(function* (
      key: FailedContactKey,
      sourceRunId: string,
    ): Effect.fn.Return<PresentContact | undefined> {
      const { deliveryId, organizationId } = key
      const [found] = yield* Effect.orDie(sql<Place>`
        select piece.batch_index as "batchIndex", piece.place,
          piece.sequence + piece.place - 1 as sequence,
          substr(piece.changes, piece.place, 1) as change, ${sql.literal(resultColumns)}
        ${placeIn(key, sourceRunId)}`)
      if (found === undefined) return undefined
      const { batchIndex, change, place, sequence, ...row } = found
      const question = { organizationId, deliveryId, sourceRunId, batchIndex }
      const suppressed = yield* Effect.orDie(
        sql<{ readonly place: number }>`${fragmentOf(suppressedPlaces(question))}`,
      )
      return suppressed.some((one) => one.place === place)
        ? undefined
        : { place, sequence, change: changeOf[change], attempts: 0, row, isSuppressed: false }
    }),

    /**
     * Plans a queued delivery of only this contact. Returns false if its result is no longer stored. Runs in the
     * caller's transaction.
     */
    planContact: (
      key: FailedContactKey,
      { id, sourceRunId }: { readonly id: string; readonly sourceRunId: string },
    ): Effect.Effect<boolean, DatabaseError> =>
      sql`
        with kept as (
          insert into delivery_batch
            (organization_id, delivery_id, batch_index, sequence, positions, changes)
          select ${key.organizationId}::uuid, ${id}::uuid, 0, 1, array[result.position],
            substr(piece.changes, piece.place, 1)
          ${placeIn(key, sourceRunId)}
          returning 1
        )
        update delivery set source_count = 1, batch_count = 1,
          removed_since_baseline = original.removed_since_baseline
        from delivery as original
        where delivery.organization_id = ${key.organizationId} and delivery.id = ${id}
          and original.organization_id = ${key.organizationId} and original.id = ${key.deliveryId}
          and exists (select from kept)
        returning 1`.pipe(Effect.map((rows) => rows.length === 1)),
  }
}
