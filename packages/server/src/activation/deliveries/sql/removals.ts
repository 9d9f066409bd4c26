// SQL of the removals of a delivery (spec 2.16): the next of them, what is noted before a request, and their results. Who
// was removed keeps a row that says so, for the delivery's contacts. Any other that is settled loses its row. So a delivery
// resumes at exactly those that are open.
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { TargetStore } from "../../destinations/targets/store.ts"
import type { Claim } from "../../../platform/jobs/queue.ts"
import { batchSize } from "../delivery.ts"
import type { BatchNews } from "../delivery-work.ts"
import type { PlannedRemoval, PlanQuestion, PresentContact } from "../plan.ts"
import { type AcknowledgementSql, personAt, unlessErased } from "./acknowledgement.ts"
import type { Persistence } from "./persistence.ts"
import type { deliveryJobs } from "./queue.ts"

export type RemovalNews = BatchNews<PlannedRemoval, PlannedRemoval>

export interface SettledRemovals extends RemovalNews {
  /** How many acknowledgements the delivery has had. */
  readonly acknowledgements: number
}

/** Someone who is about to be put on a list. */
export interface Adding {
  readonly contact: PresentContact
  readonly email: string
}

export const removalStatements = (
  sql: SqlClient.SqlClient,
  { persistently }: Persistence,
  { held }: ReturnType<typeof deliveryJobs>,
  targets: TargetStore["Service"],
) => {
  const json = (rows: ReadonlyArray<object>) => sql`${JSON.stringify(rows)}::text::jsonb`
  const isHeld = sql.literal("exists (select from held)")
  const hashesOf = (removals: ReadonlyArray<PlannedRemoval>) => sql`
    select decode(one.hash, 'hex')
    from jsonb_to_recordset(${json(removals.map(({ hashedEmail: hash }) => ({ hash })))})
      as one (hash text)`

  /** The id that the organization's own systems have for an address: a link, or else a trait of the visitor. */
  const externalKey = sql.literal(`coalesce(
    (
      select link.value from identity_link as link
      where link.organization_id = removal.organization_id and link.kind = 'external_id'
        and link.email_hash = encode(removal.hashed_email, 'hex')
      order by link.value
      limit 1
    ),
    (
      select seen.custom_attribution #>> '{external_id,0}'
      from visitor_address as address
      join visitor_pixel as seen on seen.organization_id = address.organization_id
        and seen.visitor_id = address.visitor_id
      where address.organization_id = removal.organization_id
        and address.email_hash = encode(removal.hashed_email, 'hex')
        and seen.custom_attribution ? 'external_id'
      order by 1
      limit 1
    )
  )`)

  const allNoted = (
    count: number,
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>,
  ) => Effect.map(persistently(statement), (rows) => rows.length === count)

  return {
    /** The next removals, at most a batch. */
    nextRemovals: ({
      deliveryId,
      destinationId,
      organizationId,
    }: PlanQuestion): Effect.Effect<ReadonlyArray<PlannedRemoval>> =>
      persistently(sql<PlannedRemoval>`
        select removal.place, removal.attempts, removal.reason,
          encode(removal.hashed_email, 'hex') as "hashedEmail", known.email,
          known.remote_id as "remoteId", known.removed_status as "notedStatus",
          case when known.email is null then ${externalKey} end as "externalKey"
        from delivery_removal as removal
        join destination_contact as known on known.organization_id = removal.organization_id
          and known.destination_id = ${destinationId} and known.hashed_email = removal.hashed_email
        where removal.organization_id = ${organizationId} and removal.delivery_id = ${deliveryId}
          and removal.removed_at is null
        order by removal.place
        limit ${batchSize}`),

    /**
     * Stores that these people are not on the list and are about to be put there. False if one was erased meanwhile or
     * another worker holds the delivery: then no one may be put there.
     */
    noteAdding: (
      claim: Claim,
      question: PlanQuestion,
      listId: string,
      adding: ReadonlyArray<Adding>,
    ): Effect.Effect<boolean> => {
      const rows = adding.map(({ contact, email }) => ({ position: contact.row.position, email }))
      return allNoted(
        adding.length,
        sql`
          insert into destination_contact as known (organization_id, destination_id,
            hashed_email, is_sent, is_added, email, list_id)
          select ${question.organizationId}::uuid, ${question.destinationId}::uuid,
            result.hashed_email, false, true, piece.email, ${listId}
          from jsonb_to_recordset(${json(rows)}) as piece (position integer, email text)
          ${personAt(sql, question, unlessErased)}
          where exists (select from delivery where ${held(claim)})
          order by result.hashed_email
          on conflict (organization_id, destination_id, hashed_email) do update
            set is_added = true, has_left = false, email = excluded.email,
              list_id = excluded.list_id
          returning 1`,
      )
    },

    /** Stores the statuses of people who are about to be taken off the list, by the hash of each. False as above. */
    noteRemoving: (
      claim: Claim,
      { destinationId, organizationId }: PlanQuestion,
      statuses: ReadonlyMap<string, string>,
    ): Effect.Effect<boolean> => {
      const rows = [...statuses].map(([hash, status]) => ({ hash, status }))
      return allNoted(
        rows.length,
        sql`
          update destination_contact as known set removed_status = piece.status
          from jsonb_to_recordset(${json(rows)}) as piece (hash text, status text)
          where known.organization_id = ${organizationId}
            and known.destination_id = ${destinationId}
            and known.hashed_email = decode(piece.hash, 'hex')
            and exists (select from delivery where ${held(claim)})
          returning 1`,
      )
    },

    /** The statement that stores the results of removals; see `acknowledgement`. */
    removalResults: (
      { deliveryId, destinationId, organizationId }: PlanQuestion,
      news: SettledRemovals,
      clauses: AcknowledgementSql,
    ) => {
      const { attemptError, attempts, failed, failedAttempts, failedSinceSent, lastError } = news
      const { left, skipped, streak } = news
      const removed = left.filter(({ isRemoved }) => isRemoved).map(({ contact }) => contact)
      const isProgress = left.length + skipped.length + failed.length > 0
      const others = left.filter(({ isRemoved }) => !isRemoved)
      const gone = [...others, ...failed].map(({ contact }) => contact).concat(skipped)
      const rows = left.map(({ contact, formerStatus, isOff }) => ({
        hash: contact.hashedEmail,
        off: isOff,
        status: formerStatus,
      }))
      const errors = { failedSinceSent, lastError, failedAttempts, attemptError }
      const settled = { sent: 0, skipped: 0, failed: 0, removed: removed.length, ...errors }
      return sql`
        with held as (
          update delivery set
            removed_count = removed_count + ${removed.length},
            streak = ${streak.count}, streak_code = ${streak.code},
            acknowledgements = acknowledgements + 1,
            acknowledged_claim = case when ${isProgress} then claim else acknowledged_claim end,
            updated_at = clock_timestamp()
          where ${clauses.held} and acknowledgements = ${news.acknowledgements}
          returning ${clauses.returned}
        ), departed as (
          update destination_contact as known set has_left = true, is_sent = false,
            content_hash = null, is_added = known.is_added and not piece.off,
            removed_status = piece.status
          from jsonb_to_recordset(${json(rows)}) as piece (hash text, off boolean, status text)
          where known.organization_id = ${organizationId}
            and known.destination_id = ${destinationId}
            and known.hashed_email = decode(piece.hash, 'hex') and ${isHeld}
        ), done as (
          update delivery_removal set removed_at = clock_timestamp()
          where organization_id = ${organizationId} and delivery_id = ${deliveryId}
            and hashed_email in (${hashesOf(removed)}) and ${isHeld}
        ), gone as (
          delete from delivery_removal
          where organization_id = ${organizationId} and delivery_id = ${deliveryId}
            and hashed_email in (${hashesOf(gone)}) and ${isHeld}
        ), tried as (
          update delivery_removal set attempts = one.attempts
          from jsonb_to_recordset(${json(
            [...attempts].map(([place, made]) => ({ place, attempts: made })),
          )}) as one (place integer, attempts smallint)
          where organization_id = ${organizationId} and delivery_id = ${deliveryId}
            and delivery_removal.place = one.place and ${isHeld}
        ), target as (${targets.settling({ organizationId, destinationId }, settled, isHeld)})
        select * from held`
    },
  }
}
