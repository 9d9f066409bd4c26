// The contacts of a delivery by what became of them (spec 5.10.18), a page at a time: each outcome has an index, so that
// a page of a delivery of a million costs as much as one of a hundred. Names and addresses are those of the run's
// results. An erased person is in none of the rows.
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { ListKey } from "../../../platform/database/lists.ts"
import { fragmentOf, SqlText } from "../../../platform/database/sql-text.ts"
import { visitorWith } from "../../../intent/audiences/aliases/leads.ts"
import type { ContactOutcome, DeliveryContact, DeliveryKey } from "../delivery.ts"

export interface DeliveryContactRow extends DeliveryContact {
  /** The sort key among the contacts with this outcome. */
  readonly key: ReadonlyArray<string>
}

/** The letters in `delivery_batch.outcomes`; `-` for a contact that is open. */
export const outcomeLetters = { sent: "s", skipped: "k", failed: "f" } as const

export interface SettledQuestion extends DeliveryKey {
  readonly sourceRunId: string
  /** Whether the run's results are stored. Without them only failed contacts are known. */
  readonly hasResults: boolean
}

/** A page of one outcome. `after`: the key of the last row before it; undefined for the first page. */
type Page = (
  question: SettledQuestion,
  after: ListKey | undefined,
  limit: number,
) => Statement.Statement<DeliveryContactRow>

export const settledContacts = (sql: SqlClient.SqlClient) => {
  const person = ({ organizationId }: SettledQuestion) => {
    const viewer = { organizationId, erased: [], hasVisitors: true, hasPeople: true }
    const hash = SqlText.of("encode(settled.hashed_email, 'hex')")
    return sql`
      encode(settled.hashed_email, 'hex') as "hashedEmail",
      nullif(concat_ws(' ', settled.first_name, settled.last_name), '') as name, settled.email,
      exists (select from ${fragmentOf(visitorWith(viewer, hash))}) as "personExists"`
  }

  /** In sending order, from the batches. */
  const inBatches =
    (outcome: "sent" | "skipped"): Page =>
    (question, after = ["-1", "0"], limit) => {
      const { deliveryId, organizationId, sourceRunId } = question
      const [batch = "-1", place = "0"] = after
      const letter = outcomeLetters[outcome]
      return sql<DeliveryContactRow>`
        select ${person(question)}, ${outcome}::text as outcome, null as "errorCode",
          null as "errorMessage",
          array[settled.batch_index::text, settled.place::text] as key
        from (
          select batch.batch_index, piece.place, result.hashed_email, result.first_name,
            result.last_name, result.email
          from delivery_batch as batch
          cross join lateral generate_series(1, cardinality(batch.positions)) as piece (place)
          cross join lateral (
            select run_result.* from run_result
            where run_result.organization_id = ${organizationId}
              and run_result.run_id = ${sourceRunId}
              and run_result.position between batch.positions[piece.place]
                and batch.positions[piece.place]
            order by run_result.position
            limit 1
          ) as result
          where batch.organization_id = ${organizationId} and batch.delivery_id = ${deliveryId}
            and batch.outcomes like ${sql.literal(`'%${letter}%'`)}
            and batch.batch_index >= ${batch}::text::integer
            and substr(batch.outcomes, piece.place, 1) = ${letter}
            and (batch.batch_index, piece.place) > (${batch}::text::integer, ${place}::text::integer)
          order by batch.batch_index, piece.place
          limit ${limit}
        ) as settled
        order by settled.batch_index, settled.place`
    }

  /** The latest attempt first. */
  const failed: Page = (question, after, limit) => {
    const { deliveryId, organizationId, sourceRunId } = question
    const isAfter =
      after === undefined
        ? sql.literal("")
        : sql`and (
            failure.last_attempt_at < ${after[0]}::text::timestamptz
            or failure.last_attempt_at = ${after[0]}::text::timestamptz
              and failure.hashed_email > decode(${after[1]}, 'hex')
          )`
    return sql<DeliveryContactRow>`
      select ${person(question)}, 'failed'::text as outcome, settled.error_code as "errorCode",
        settled.error_message as "errorMessage",
        array[settled.last_attempt_at::text, encode(settled.hashed_email, 'hex')] as key
      from (
        select failure.*, result.first_name, result.last_name, result.email
        from delivery_failure as failure
        left join run_result as result on result.organization_id = failure.organization_id
          and result.run_id = ${sourceRunId} and result.hashed_email = failure.hashed_email
          and result.position > 0
        where failure.organization_id = ${organizationId} and failure.delivery_id = ${deliveryId}
          ${isAfter}
        order by failure.last_attempt_at desc, failure.hashed_email
        limit ${limit}
      ) as settled
      order by settled.last_attempt_at desc, settled.hashed_email`
  }

  /** By hash. A service knows them by an address, which the destination keeps. */
  const removed: Page = (question, after, limit) => {
    const { deliveryId, organizationId, sourceRunId } = question
    const isAfter =
      after === undefined
        ? sql.literal("")
        : sql`and removal.hashed_email > decode(${after[0]}, 'hex')`
    return sql<DeliveryContactRow>`
      select ${person(question)}, 'removed'::text as outcome, null as "errorCode",
        null as "errorMessage", array[encode(settled.hashed_email, 'hex'), ''] as key
      from (
        select removal.hashed_email, result.first_name, result.last_name,
          coalesce(result.email, known.email) as email
        from delivery_removal as removal
        join delivery on delivery.organization_id = removal.organization_id
          and delivery.id = removal.delivery_id
        left join destination_contact as known
          on known.organization_id = removal.organization_id
          and known.destination_id = delivery.destination_id
          and known.hashed_email = removal.hashed_email
        left join run_result as result on result.organization_id = removal.organization_id
          and result.run_id = ${sourceRunId} and result.hashed_email = removal.hashed_email
          and result.position > 0
        where removal.organization_id = ${organizationId} and removal.delivery_id = ${deliveryId}
          and removal.removed_at is not null ${isAfter}
        order by removal.hashed_email
        limit ${limit}
      ) as settled
      order by settled.hashed_email`
  }

  /** In the order in which a list of every outcome has them. */
  const pages: ReadonlyArray<readonly [ContactOutcome, Page]> = [
    ["failed", failed],
    ["skipped", inBatches("skipped")],
    ["sent", inBatches("sent")],
    ["removed", removed],
  ]

  return {
    /** `outcome`: undefined for all. `after`: the key of the last row before the page, with its outcome. */
    settledContacts: Effect.fnUntraced(function* (
      question: SettledQuestion,
      outcome: ContactOutcome | undefined,
      { after, limit }: { readonly after: ListKey | undefined; readonly limit: number },
    ): Effect.fn.Return<ReadonlyArray<DeliveryContactRow>> {
      const rows: Array<DeliveryContactRow> = []
      let from = after?.[0]
      for (const [of, page] of pages) {
        if (outcome !== undefined && outcome !== of) continue
        if (!question.hasResults && of !== "failed") continue
        if (from !== undefined && from !== of) continue
        const start = from === of ? after?.slice(1) : undefined
        from = undefined
        rows.push(...(yield* Effect.orDie(page(question, start, limit - rows.length))))
        if (rows.length === limit) break
      }
      return rows
    }),
  }
}
