// A batch's contacts as of now: erased people are missing, and people matched by a rule in force are marked (spec 2.6,
// 2.16). Rules are compared with the run's data and with every address the person has now; without rules nothing is
// looked up.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type ResultDbRow, resultColumns } from "../../../intent/runs/results/result-row.ts"
import { suppressedAmong } from "../../../intent/runs/results/suppressed.ts"
import { fragmentOf, SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { type ChangeLetter, changeOf, type PlannedContact } from "../plan.ts"
import type { Persistence } from "./persistence.ts"

export interface BatchQuestion {
  readonly organizationId: string
  readonly deliveryId: string
  readonly sourceRunId: string
  readonly batchIndex: number
  /** Of which destination's list to read what is known about the contacts. Default: none. */
  readonly knownTo?: { readonly destinationId: string; readonly listId: string } | undefined
}

/** By primary key, whatever the statistics say: one look-up per contact in a run of any size. */
const resultAt = ({
  organizationId,
  sourceRunId,
}: Pick<BatchQuestion, "organizationId" | "sourceRunId">): SqlText => sqlText`
  select run_result.* from run_result
  where run_result.organization_id = ${organizationId}::uuid
    and run_result.run_id = ${sourceRunId}::uuid
    and run_result.position between piece.position and piece.position
  order by run_result.position
  limit 1`

/** The contacts of a batch's row, each with its result if it still exists. */
const contactsOf = (
  { batchIndex, deliveryId, organizationId, sourceRunId }: BatchQuestion,
  more: SqlText,
) => sqlText`
  from delivery_batch as batch
  cross join lateral unnest(batch.positions) with ordinality as piece (position, place)
  left join lateral (${resultAt({ organizationId, sourceRunId })}) as result on true
  ${more}
  where batch.organization_id = ${organizationId}::uuid
    and batch.delivery_id = ${deliveryId}::uuid
    and batch.batch_index = ${batchIndex}::integer
    and coalesce(batch.attempts[piece.place], 0) >= 0`

/** What the destination's service told about each of them. */
const knownOf = (
  { organizationId }: BatchQuestion,
  { destinationId, listId }: NonNullable<BatchQuestion["knownTo"]>,
) => sqlText`
  left join destination_contact as known
    on known.organization_id = ${organizationId}::uuid
    and known.destination_id = ${destinationId}::uuid
    and known.list_id = ${listId} and known.hashed_email = result.hashed_email`

/** Rows of `StoredContact` in sending order; `hasRules`: someone may be suppressed. */
export const batchContacts = (question: BatchQuestion): SqlText => {
  const { knownTo } = question
  const nothing = SqlText.of("")
  return sqlText`
  select piece.place::integer, batch.sequence + piece.place::integer - 1 as sequence,
    substr(batch.changes, piece.place::integer, 1) as change,
    coalesce(batch.attempts[piece.place], 0)::integer as attempts,
    exists (
      select from suppression_rule where organization_id = ${question.organizationId}::uuid
    ) as "hasRules",
    ${knownTo === undefined ? nothing : knownColumns}
    ${SqlText.of(resultColumns)}
  ${contactsOf(question, knownTo === undefined ? nothing : knownOf(question, knownTo))}
  order by piece.place`
}

const knownColumns = SqlText.of(
  `known.remote_id as "remoteId", known.removed_status as "formerStatus",`,
)

/** Positions of people matched by a rule in force. Planning this takes longer than the rest of a batch. */
export const suppressedPlaces = (question: BatchQuestion): SqlText =>
  suppressedAmong(question.organizationId, {
    from: sqlText`delivery_batch as batch
      cross join lateral unnest(batch.positions) with ordinality as piece (position, place)
      cross join lateral (${resultAt(question)}) as result`,
    where: sqlText`batch.organization_id = ${question.organizationId}::uuid
      and batch.delivery_id = ${question.deliveryId}::uuid
      and batch.batch_index = ${question.batchIndex}::integer`,
  })

interface StoredContact extends ResultDbRow {
  readonly place: number
  readonly sequence: number
  readonly change: ChangeLetter
  readonly attempts: number
  readonly hasRules: boolean
  readonly remoteId?: string | null
  readonly formerStatus?: string | null
}

export const readingContacts = (
  sql: SqlClient.SqlClient,
  { persistently }: Pick<Persistence, "persistently">,
) =>
  Effect.fnUntraced(function* (question: BatchQuestion) {
    const rows = yield* persistently(sql<StoredContact>`${fragmentOf(batchContacts(question))}`)
    const suppressed =
      rows[0]?.hasRules === true
        ? yield* persistently(
            sql<{ readonly place: number }>`${fragmentOf(suppressedPlaces(question))}`,
          )
        : []
    const places = new Set(suppressed.map(({ place }) => place))
    return rows.map((row) => contactOf(row, places))
  })

const contactOf = (row: StoredContact, suppressed: ReadonlySet<number>): PlannedContact => ({
  place: row.place,
  sequence: row.sequence,
  change: changeOf[row.change],
  attempts: row.attempts,
  // Without a result, all its columns are null.
  row: (row.position as number | null) === null ? undefined : row,
  isSuppressed: suppressed.has(row.place),
  ...(row.remoteId === undefined
    ? {}
    : { known: { remoteId: row.remoteId, formerStatus: row.formerStatus ?? null } }),
})
