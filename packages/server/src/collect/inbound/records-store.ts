// SQL of what arrived: requests, their records, and the history (spec 15.3.8 to 15.3.10). All methods but the reading ones
// run in the caller's transaction.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../../platform/database/advisory-locks.ts"
import { isoTime } from "../../platform/database/iso-time.ts"
import type { RowKey } from "../../platform/database/kept-rows.ts"
import { transaction } from "../../platform/database/transaction.ts"
import { bodyWithoutAddressHours, historyMax, keptDays } from "./inbound-source.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export const outcomes = ["person", "company", "repeated", "rejected", "dropped"] as const
export type Outcome = (typeof outcomes)[number]

export interface RequestKey {
  readonly organizationId: string
  readonly sourceId: string
  readonly requestId: string
}

/** A record to store. */
export interface NewRecord {
  readonly place: number
  readonly outcome: Outcome
  readonly reason: string | null
  /** Hex. */
  readonly key: string
  readonly addressHashes: ReadonlyArray<string>
  /** Sealed, in Base64. */
  readonly body: string | null
}

/** A record that may be mapped again. */
export interface OpenRecord {
  readonly place: number
  readonly outcome: "company" | "rejected"
  readonly body: Uint8Array
}

export interface HistoryRow {
  readonly id: string
  readonly receivedAt: string
  readonly records: number
  readonly outcomes: ReadonlyArray<{
    readonly outcome: Outcome
    readonly reason: string | null
    readonly records: number
  }>
}

/** Whether the request is new, and what its source is now. */
export interface Begun {
  readonly isNew: boolean
  readonly isActive: boolean
  readonly retentionDays: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const at = sql.literal(isoTime("request.received_at"))

  const insert = (
    { organizationId, requestId, sourceId }: RequestKey,
    records: ReadonlyArray<NewRecord>,
  ): Result<ReadonlyArray<number>> =>
    sql<{ readonly place: number }>`
      insert into inbound_record
        (organization_id, source_id, request_id, place, outcome, reason, key, address_hashes, body)
      select ${organizationId}, ${sourceId}, ${requestId}, place, outcome, reason,
        decode(key, 'hex'), array(select json_array_elements_text("addressHashes")),
        decode(body, 'base64')
      from json_to_recordset(${JSON.stringify(records)}::text::json) as r (
        place int, outcome text, reason text, key text, "addressHashes" json, body text
      )
      order by key, place
      on conflict (organization_id, source_id, key)
        where outcome in ('person', 'company', 'dropped') do nothing
      returning place`.pipe(Effect.map((rows) => rows.map(({ place }) => place)))

  const hashesOf = (emailHashes: ReadonlyArray<string>) => sql`array(
    select json_array_elements_text(${JSON.stringify(emailHashes)}::text::json)
  )`

  const history = ({ id, organizationId }: RowKey, requestId: string | null) =>
    sql<HistoryRow>`
      select request.id, ${at} as "receivedAt", request.records, (
        select coalesce(json_agg(json_build_object(
          'outcome', counted.outcome, 'reason', counted.reason, 'records', counted.records
        ) order by counted.records desc, counted.outcome, counted.reason), '[]')
        from (
          select outcome, reason, count(*)::int as records from inbound_record as record
          where record.organization_id = request.organization_id
            and record.source_id = request.source_id and record.request_id = request.id
          group by outcome, reason
        ) as counted
      ) as outcomes
      from inbound_request as request
      where organization_id = ${organizationId} and source_id = ${id}
        and received_at > now() - make_interval(days => ${keptDays})
        and (${requestId}::uuid is null or id = ${requestId}::uuid)
      order by received_at desc, id desc
      limit ${historyMax}`.pipe(Effect.orDie)

  return {
    transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),

    /**
     * Waits for an erasure in progress and lets the next one wait; then notes the request. Undefined if the source is
     * gone. Requests of a paused source are not kept.
     */
    begin: (
      { organizationId, requestId, sourceId }: RequestKey,
      request: { readonly receivedAt: number; readonly records: number },
    ): Result<Begun | undefined> =>
      sql<Begun>`
        with lock as materialized (
          select pg_advisory_xact_lock_shared(${advisoryLocks.inbound}, hashtext(${organizationId}))
        ), source as materialized (
          select source.status, organization.retention_days
          from lock
          join inbound_source as source on source.organization_id = ${organizationId}
            and source.id = ${sourceId}
          join organization on organization.id = source.organization_id
          for key share of source
        ), noted as (
          insert into inbound_request (organization_id, source_id, id, received_at, records)
          select ${organizationId}, ${sourceId}, ${requestId},
            to_timestamp(${request.receivedAt}::float8 / 1000), ${request.records}
          from source where status = 'active'
          on conflict do nothing
          returning id
        ), seen as (
          update inbound_source set last_request_at = now()
          where organization_id = ${organizationId} and id = ${sourceId}
            and (last_request_at is null or last_request_at < now() - interval '10 seconds')
            and exists (select from noted)
        )
        select exists (select from noted) as "isNew", status = 'active' as "isActive",
          retention_days as "retentionDays"
        from source`.pipe(Effect.map(([begun]) => begun)),

    /** The places of those that are new: of the others, their key was taken within the last days. */
    insert,

    /** Records of a request that were rejected or had no address, locked. Undefined for an unknown request. */
    open: Effect.fnUntraced(function* ({ organizationId, requestId, sourceId }: RequestKey) {
      const [request] = yield* sql<{
        readonly receivedAt: number
        readonly retentionDays: number | null
      }>`
        with lock as materialized (
          select pg_advisory_xact_lock_shared(${advisoryLocks.inbound}, hashtext(${organizationId}))
        )
        select (extract(epoch from received_at) * 1000)::float8 as "receivedAt",
          organization.retention_days as "retentionDays"
        from lock
        join inbound_request as request on request.organization_id = ${organizationId}
          and request.source_id = ${sourceId} and request.id = ${requestId}
        join organization on organization.id = request.organization_id
        where received_at > now() - make_interval(days => ${keptDays})
        for update of request`
      if (request === undefined) return undefined
      const records = yield* sql<OpenRecord>`
        select place, outcome, body from inbound_record
        where organization_id = ${organizationId} and source_id = ${sourceId}
          and request_id = ${requestId} and body is not null
          and outcome in ('company', 'rejected')
        order by place`
      return { ...request, records }
    }),

    /** Deletes records, so that they can be stored with another outcome. */
    remove: (
      { organizationId, requestId, sourceId }: RequestKey,
      places: ReadonlyArray<number>,
    ): Result<void> =>
      sql`
        delete from inbound_record
        where organization_id = ${organizationId} and source_id = ${sourceId}
          and request_id = ${requestId}
          and place in (
            select value::int from json_array_elements_text(${JSON.stringify(places)}::text::json)
          )`.pipe(Effect.asVoid),

    /** Newest first. */
    history: (key: RowKey) => history(key, null),

    request: (key: RowKey, requestId: string) =>
      Effect.map(history(key, requestId), ([found]) => found),

    /** Deletes what is older than the history, and bodies without an address after a day. At most `limit` of each. */
    expire: Effect.fnUntraced(function* (limit: number) {
      const gone = yield* sql`
        delete from inbound_request
        where ctid in (
          select ctid from inbound_request
          where received_at < now() - make_interval(days => ${keptDays})
          limit ${limit}
        )
        returning 1`
      const emptied = yield* sql`
        update inbound_record set body = null
        where ctid in (
          select record.ctid
          from inbound_request as request
          join inbound_record as record on record.organization_id = request.organization_id
            and record.source_id = request.source_id and record.request_id = request.id
          where request.received_at < now() - make_interval(hours => ${bodyWithoutAddressHours})
            and record.body is not null and record.address_hashes = '{}'
          limit ${limit}
        )
        returning 1`
      return gone.length === limit || emptied.length === limit
    }),

    /** Whether a stored record names the address. */
    knows: (organizationId: string, emailHash: string): Result<boolean> =>
      sql<{ readonly isKnown: boolean }>`
        select exists (
          select from inbound_record
          where organization_id = ${organizationId}
            and address_hashes <> '{}' and address_hashes @> array[${emailHash}::text]
        ) as "isKnown"`.pipe(Effect.map(([row]) => row?.isKnown === true)),

    /** The records that name one of the addresses, without what may be about others: bodies and addresses. */
    kept: ({
      addresses,
      organizationId,
    }: {
      readonly organizationId: string
      readonly addresses: ReadonlyArray<{ readonly emailHash: string }>
    }) => [
      {
        kind: "inbound_records",
        rows: sql`
          select to_jsonb(t) - array['address_hashes', 'body', 'key'] as row
          from inbound_record t
          where t.organization_id = ${organizationId} and t.address_hashes <> '{}'
            and t.address_hashes && ${hashesOf(addresses.map(({ emailHash }) => emailHash))}`,
      },
    ],

    /** Deletes the records that name one of the addresses, once those being stored are. */
    erase: Effect.fnUntraced(function* (
      organizationId: string,
      emailHashes: ReadonlyArray<string>,
    ) {
      yield* sql`
        select pg_advisory_xact_lock(${advisoryLocks.inbound}, hashtext(${organizationId}))`
      yield* sql`
        delete from inbound_record
        where organization_id = ${organizationId} and address_hashes <> '{}'
          and address_hashes && ${hashesOf(emailHashes)}`
    }),
  }
})

export class InboundRecordStore extends Context.Service<
  InboundRecordStore,
  Effect.Success<typeof make>
>()("@footfall/server/inbound/InboundRecordStore") {
  static readonly layer = Layer.effect(InboundRecordStore, make)
}
