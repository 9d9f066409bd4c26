// The statement that stores a batch's results (spec 2.16, 4.4): counters, last sent content, failures, the destination.
// It is atomic, and does nothing unless the claim still holds the delivery and this is its next acknowledgement.
// Results are looked up by position, so a batch costs the same in a run of a million as in one of a hundred, whatever
// the statistics say.
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { TargetStore } from "../../destinations/targets/store.ts"
import type { PlannedContact, PlanQuestion } from "../plan.ts"
import type { Acknowledgement, FailedTry, SentContact } from "../delivery-work.ts"
import { outcomeLetters } from "./settled-contacts.ts"

/** In the form of `DeliveryTry`. */
const storedTry = ({ at, error }: FailedTry) => ({
  at: DateTime.formatIso(DateTime.makeUnsafe(at)),
  errorCode: error.code,
  errorMessage: error.message,
  statusCode: error.statusCode,
  responseSnippet: error.responseSnippet ?? null,
})

export interface AcknowledgementSql {
  /** Condition that the claim still holds the delivery's row. */
  readonly held: Statement.Fragment
  /** Which columns of the delivery to return. */
  readonly returned: Statement.Fragment
}

/** The person at a position of the results (`piece`); none if erased in the meantime. */
export const personAt = (
  sql: SqlClient.SqlClient,
  { organizationId, sourceRunId }: PlanQuestion,
  lock = "",
) => sql`cross join lateral (
  select run_result.hashed_email from run_result
  where run_result.organization_id = ${organizationId} and run_result.run_id = ${sourceRunId}
    and run_result.position between piece.position and piece.position
  order by run_result.position
  limit 1
  ${sql.literal(lock)}
) as result`

/**
 * An erasure deletes results first, so it waits for what is stored about the person here and then deletes that too.
 */
export const unlessErased = "for key share"

export const acknowledgement = (sql: SqlClient.SqlClient, targets: TargetStore["Service"]) => {
  const now = sql.literal("date_trunc('milliseconds', clock_timestamp())")
  const nothing = sql.literal("")
  const isHeld = sql.literal("exists (select from held)")
  const arrayText = (values: ReadonlyArray<number | string>) => `{${values.join(",")}}`
  const positionsOf = (contacts: ReadonlyArray<PlannedContact>) =>
    arrayText(contacts.flatMap(({ row }) => row?.position ?? []))

  const hashesOf = (question: PlanQuestion, contacts: ReadonlyArray<PlannedContact>) => sql`array(
    select result.hashed_email
    from unnest(${positionsOf(contacts)}::text::integer[]) as piece (position)
    ${personAt(sql, question)}
  )`

  /** What the destination was last sent about these people. */
  const known = (question: PlanQuestion, contacts: ReadonlyArray<PlannedContact>) => sql`
    known.organization_id = ${question.organizationId}
    and known.destination_id = ${question.destinationId}
    and known.hashed_email = any (${hashesOf(question, contacts)})
    and ${isHeld}`

  const progressed = (
    { failed, attempts, sent, skipped, streak, acknowledgements }: Acknowledgement,
    held: Statement.Fragment,
  ) => {
    const isWhole = attempts.size === 0
    const isProgress = sent.length + skipped.length + failed.length > 0
    return sql`
      update delivery set
        sent_count = sent_count + ${sent.length}, skipped_count = skipped_count + ${skipped.length},
        failed_count = failed_count + ${failed.length},
        batch_index = batch_index + ${isWhole ? 1 : 0},
        event_at = case when ${isWhole} then coalesce(next_event_at, event_at) else event_at end,
        next_event_at = case when ${isWhole} then ${now} else next_event_at end,
        streak = ${streak.count}, streak_code = ${streak.code},
        acknowledgements = acknowledgements + 1,
        acknowledged_claim = case when ${isProgress} then claim else acknowledged_claim end,
        updated_at = clock_timestamp()
      where ${held} and acknowledgements = ${acknowledgements}`
  }

  /** Like `keepSent`, with what the service told about them. Who is sent is no longer removed. */
  const keepAtProvider = (question: PlanQuestion, sent: ReadonlyArray<SentContact>) => {
    const rows = sent.map(({ atProvider, contact, contentHash }) => ({
      position: contact.row.position,
      hash: contentHash,
      ...atProvider,
    }))
    return sql`, kept_sent as (
      insert into destination_contact as known (organization_id, destination_id, hashed_email,
        content_hash, is_added, remote_id, email, list_id)
      select ${question.organizationId}::uuid, ${question.destinationId}::uuid,
        result.hashed_email, decode(piece.hash, 'hex'), piece."isAdded", piece."remoteId",
        piece.email, piece."listId"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as piece (
        position integer, hash text, "isAdded" boolean, "remoteId" text, email text, "listId" text
      )
      ${personAt(sql, question, unlessErased)}
      where ${isHeld}
      order by result.hashed_email
      on conflict (organization_id, destination_id, hashed_email) do update
        set content_hash = excluded.content_hash,
          is_added = excluded.is_added
            or (known.is_added and not known.has_left and known.list_id = excluded.list_id),
          remote_id = coalesce(excluded.remote_id, known.remote_id),
          removed_status = null, is_sent = true, has_left = false,
          email = excluded.email, list_id = excluded.list_id
    )`
  }

  const keepSent = (question: PlanQuestion, sent: ReadonlyArray<SentContact>) => {
    if (sent.some(({ atProvider }) => atProvider !== undefined)) {
      return keepAtProvider(question, sent)
    }
    const positions = positionsOf(sent.map(({ contact }) => contact))
    const hashes = arrayText(sent.map(({ contentHash }) => contentHash))
    return sql`, kept_sent as (
      insert into destination_contact as known
        (organization_id, destination_id, hashed_email, content_hash)
      select ${question.organizationId}::uuid, ${question.destinationId}::uuid,
        result.hashed_email, decode(piece.hash, 'hex')
      from unnest(
        ${positions}::text::integer[], ${hashes}::text::text[]
      ) as piece (position, hash)
      ${personAt(sql, question, unlessErased)}
      where ${isHeld}
      order by result.hashed_email
      on conflict (organization_id, destination_id, hashed_email) do update
        set content_hash = excluded.content_hash, is_sent = true, has_left = false
        where not known.is_sent or known.content_hash is distinct from excluded.content_hash
    )`
  }

  /** Who is sent later is added again. The destination still holds whom it put there. */
  const keepSkipped = (question: PlanQuestion, skipped: ReadonlyArray<PlannedContact>) =>
    sql`, passed_over as (
      update destination_contact as known set is_sent = false, content_hash = null
      where ${known(question, skipped)}
    )`

  const keepFailed = (question: PlanQuestion, failed: Acknowledgement["failed"]) => {
    const contacts = failed.map(({ contact }) => contact)
    // Its only request was refused, so it put no one on the list.
    const refusedAtOnce = failed
      .filter(({ attempts, error }) => attempts === 1 && error.code === "CONTACT_INVALID")
      .map(({ contact }) => contact)
    const rows = failed.map(({ attempts, contact, error, lastAttemptAt, tries }) => ({
      position: contact.row.position,
      code: error.code,
      message: error.message,
      status: error.statusCode,
      attempts,
      at: lastAttemptAt / 1000,
      tries: tries.map(storedTry),
    }))
    return sql`, not_arrived as (
      update destination_contact as known set content_hash = null
        ${
          refusedAtOnce.length === 0
            ? nothing
            : sql`, is_added = known.is_added and (
                known.is_sent or known.hashed_email <> all (${hashesOf(question, refusedAtOnce)})
              )`
        }
      where ${known(question, contacts)}
    ), kept_failed as (
      insert into delivery_failure (organization_id, delivery_id, hashed_email, error_code,
        error_message, status_code, attempts, last_attempt_at, tries)
      select ${question.organizationId}::uuid, ${question.deliveryId}::uuid, result.hashed_email,
        piece.code, piece.message, piece.status, piece.attempts, to_timestamp(piece.at),
        piece.tries
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as piece (
        position integer, code text, message text, status integer, attempts integer, at float8,
        tries jsonb
      )
      ${personAt(sql, question, unlessErased)}
      where ${isHeld}
      on conflict (organization_id, delivery_id, hashed_email) do nothing
    )`
  }

  /** Attempts at contacts that are still open; none once the batch is complete. */
  const stillOpen = ({ attempts }: Acknowledgement) =>
    attempts.size === 0
      ? nothing
      : sql`, attempts = array(
          select coalesce(still.made, -1)
          from generate_series(1, cardinality(positions)) as place
          left join unnest(
            ${arrayText([...attempts.keys()])}::text::integer[],
            ${arrayText([...attempts.values()])}::text::smallint[]
          ) as still (place, made) using (place)
          order by place
        )`

  /** What became of each contact of the batch. */
  const keepOutcomes = ({ deliveryId, organizationId }: PlanQuestion, settled: Acknowledgement) => {
    const { batchIndex, failed, sent, skipped } = settled
    const letters = [
      ...sent.map(({ contact }) => [contact.place, outcomeLetters.sent] as const),
      ...failed.map(({ contact }) => [contact.place, outcomeLetters.failed] as const),
      ...skipped.map(({ place }) => [place, outcomeLetters.skipped] as const),
    ]
    return sql`, kept_outcomes as (
      update delivery_batch set outcomes = (
        select string_agg(
          coalesce(known.letter, nullif(substr(outcomes, place, 1), ''), '-'), '' order by place
        )
        from generate_series(1, cardinality(positions)) as place
        left join unnest(
          ${arrayText(letters.map(([place]) => place))}::text::integer[],
          ${arrayText(letters.map(([, letter]) => letter))}::text::text[]
        ) as known (place, letter) using (place)
      ) ${stillOpen(settled)}
      where organization_id = ${organizationId} and delivery_id = ${deliveryId}
        and batch_index = ${batchIndex} and ${isHeld}
    )`
  }

  return (
    question: PlanQuestion,
    settled: Acknowledgement,
    { held, returned }: AcknowledgementSql,
  ): Statement.Fragment => {
    const { attemptError, failed, failedAttempts, failedSinceSent, lastError } = settled
    const { sent, skipped } = settled
    const { destinationId, organizationId } = question
    const counts = { sent: sent.length, skipped: skipped.length, failed: failed.length, removed: 0 }
    const added = { ...counts, failedSinceSent, lastError, failedAttempts, attemptError }
    return sql`
      with held as (${progressed(settled, held)} returning ${returned})
      ${sent.length > 0 ? keepSent(question, sent) : nothing}
      ${skipped.length > 0 ? keepSkipped(question, skipped) : nothing}
      ${failed.length > 0 ? keepFailed(question, failed) : nothing}
      ${keepOutcomes(question, settled)}
      , target as (${targets.settling({ organizationId, destinationId }, added, isHeld)})
      select * from held`
  }
}
