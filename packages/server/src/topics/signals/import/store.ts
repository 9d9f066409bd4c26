// Every statement of an import of signals. What has come waits in `signal_staged`; a date gets into
// `signal` in one transaction. A person is looked for by hash, in a lateral subquery that cannot be joined
// otherwise: nothing tells the planner how many people there are, and it would read all of them for every
// step.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { advisoryLocks } from "../../../database/advisory-locks.ts"
import { mentionDaysMax } from "../store.ts"
import { signalDaysMax } from "./signal-row.ts"
import { type StagedEntries, stagedEntries } from "./staged-entries.ts"
import type { TopicDay } from "./topic-day.ts"
import type { Block } from "./topic-merge.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface ImportedDate {
  readonly organizationId: string
  /** `YYYY-MM-DD`. */
  readonly date: string
}

export interface StagedPiece {
  readonly id: bigint
  readonly importId: string
  readonly entries: StagedEntries
}

/** A date of many signals takes longer than a statement usually may. Our bound. */
const statementTimeout = "10min"

/** Pieces read at once: some 3 MiB. */
const piecesMax = 4

const hashBytes = 32

export class SignalImportStore extends Context.Service<
  SignalImportStore,
  {
    /** What signals may name today: topics, and the first and last date. */
    readonly scope: Result<{
      readonly topicIds: ReadonlySet<number>
      readonly dates: readonly [first: string, last: string]
    }>
    /** Takes the turn of the organization's imports for as long as the connection lasts, if it is free. */
    tryTurn(organizationId: string): Result<boolean>
    /** Waits for whoever writes signals of the organization otherwise, until the transaction ends. */
    join(organizationId: string): Result<void>
    /** As `join`, for as long as merging a date may take. */
    joinLong(organizationId: string): Result<void>
    /** Waits until nobody else gives numbers to people, until the transaction ends. */
    readonly lockNumbers: Result<void>
    /**
     * The numbers of these hashes, 32 bytes each; 0: none, which stays so under `lockNumbers`. Notes
     * that the organization names those that have one.
     */
    numbersOf(organizationId: string, hashes: Buffer): Result<ReadonlyArray<number>>
    /** Gives numbers to these hashes, ascending, which have none, under `lockNumbers`. */
    giveNumbers(organizationId: string, hashes: Buffer): Result<ReadonlyArray<number>>
    /** Signals that wait. */
    stagedCount(of: ImportedDate): Result<number>
    /** The next pieces behind one, in the order they came. */
    staged(of: ImportedDate, behind: bigint): Result<ReadonlyArray<StagedPiece>>
    clear(of: ImportedDate): Result<void>
    /** Imported signals of the date; none where it is not there. */
    signalsOn(of: ImportedDate): Result<number | undefined>
    blocks(
      of: ImportedDate,
      topicIds: ReadonlyArray<number>,
    ): Result<ReadonlyMap<number, ReadonlyArray<Block>>>
    removeBlocks(
      of: ImportedDate,
      blocks: ReadonlyArray<{ readonly topicId: number; readonly score: number }>,
    ): Result<void>
    writeTopicDays(date: string, days: ReadonlyArray<TopicDay>): Result<void>
    writeDate(of: ImportedDate, signals: number): Result<void>
  }
>()("@footfall/server/topics/SignalImportStore") {
  static readonly layer = Layer.effect(
    SignalImportStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const scope = Effect.gen(function* () {
        const topics = yield* sql<{ readonly topicId: number }>`
          select topic_id as "topicId" from topic`
        const [dates] = yield* sql<{ readonly first: string; readonly last: string }>`
          select current_date - ${signalDaysMax}::int as first, current_date as last`
        return {
          topicIds: new Set(topics.map(({ topicId }) => topicId)),
          dates: [dates!.first, dates!.last] as const, // One row, always.
        }
      })

      const tryTurn = (organizationId: string) =>
        sql<{ readonly isTaken: boolean }>`
          select pg_try_advisory_lock(${advisoryLocks.signalImport}, hashtext(${organizationId}))
            as "isTaken"`.pipe(Effect.map(([row]) => row!.isTaken))

      const join = (organizationId: string) =>
        sql`
          select
            pg_advisory_xact_lock_shared(${advisoryLocks.signals}, hashtext(${organizationId})),
            set_config('plan_cache_mode', 'force_custom_plan', true),
            set_config('work_mem', '64MB', true)`.pipe(Effect.asVoid)

      const joinLong = (organizationId: string) =>
        Effect.andThen(
          sql`
            select
              set_config('statement_timeout', ${statementTimeout}, true),
              set_config('lock_timeout', ${statementTimeout}, true),
              set_config('idle_in_transaction_session_timeout', ${statementTimeout}, true)`,
          join(organizationId),
        )

      const hashesOf = (hashes: Buffer) => sql`(
        select n, substr(${hashes}::bytea, n * ${hashBytes}::int + 1, ${hashBytes}::int) as email_hash
        from generate_series(0, ${hashes.length / hashBytes - 1}::int) as n
      )`

      // Whom somebody takes away at this moment is not named, and has no number.
      const numbersOf = (organizationId: string, hashes: Buffer) =>
        sql<{ readonly numbers: Buffer }>`
          with known as materialized (
            select s.n, p.id, p.is_named
            from ${hashesOf(hashes)} as s
            left join lateral (
              select
                id,
                ${organizationId}::uuid = any (organization_ids)
                  and named_on >= current_date - ${mentionDaysMax}::int as is_named
              from signal_person
              where email_hash = s.email_hash
              limit 1
            ) as p on true
          ), named as (
            update signal_person p set
              organization_ids = case
                when ${organizationId}::uuid = any (p.organization_ids) then p.organization_ids
                else p.organization_ids || ${organizationId}::uuid
              end,
              named_on = current_date
            where p.id in (select id from known where not is_named)
            returning p.id
          )
          select string_agg(
            int4send(case when k.is_named then k.id else coalesce(named.id, 0) end), '' order by k.n
          ) as numbers
          from known k
          left join named on named.id = k.id`.pipe(
          Effect.map(([row]) => integersOf(row!.numbers, 0, 4)), // An aggregate answers one row.
        )

      // "On conflict", which nobody needs under the lock, would cost half as much again.
      const giveNumbers = (organizationId: string, hashes: Buffer) =>
        sql<{ readonly numbers: Buffer }>`
          with given as (
            insert into signal_person (email_hash, organization_ids)
            select email_hash, array[${organizationId}::uuid]
            from ${hashesOf(hashes)} as s
            order by n
            returning id, email_hash
          )
          select string_agg(int4send(id), '' order by email_hash) as numbers from given`.pipe(
          Effect.map(([row]) => integersOf(row!.numbers, 0, 4)), // An aggregate answers one row.
        )

      const isOfDate = ({ date, organizationId }: ImportedDate) =>
        sql`organization_id = ${organizationId} and date = ${date}::date`
      const isImported = (of: ImportedDate) => sql`${isOfDate(of)} and origin = 'import'`

      const stagedCount = (of: ImportedDate) =>
        sql<{ readonly signals: number }>`
          select coalesce(sum(signals), 0)::float8 as signals
          from signal_staged where ${isOfDate(of)}`.pipe(Effect.map(([row]) => row!.signals))

      const staged = (of: ImportedDate, behind: bigint) =>
        sql<{ readonly id: bigint; readonly importId: string; readonly entries: Buffer }>`
          select id, import_id as "importId", entries
          from signal_staged
          where ${isOfDate(of)} and id > ${behind}
          order by id
          limit ${piecesMax}`.pipe(
          Effect.map((rows) =>
            rows.map(({ entries, ...piece }) => ({ ...piece, entries: stagedEntries(entries) })),
          ),
        )

      const signalsOn = (of: ImportedDate) =>
        sql<{ readonly signals: number }>`
          select signals::float8 as signals from signal_date where ${isImported(of)}`.pipe(
          Effect.map(([row]) => row?.signals),
        )

      const blocks = (of: ImportedDate, topicIds: ReadonlyArray<number>) =>
        sql<{ readonly topicId: number; readonly score: number; readonly people: Buffer }>`
          select topic_id as "topicId", score, array_send(people) as people
          from signal
          where ${isImported(of)}
            and topic_id in (select value::int from jsonb_array_elements_text(
              ${JSON.stringify(topicIds)}::text::jsonb
            ))
          order by topic_id, score`.pipe(
          Effect.map((rows) => {
            const byTopic = new Map<number, Array<Block>>()
            for (const { people, score, topicId } of rows) {
              const block = { score, people: Int32Array.from(integersOf(people, 24, 8)) }
              const known = byTopic.get(topicId)
              if (known === undefined) byTopic.set(topicId, [block])
              else known.push(block)
            }
            return byTopic
          }),
        )

      const removeBlocks: SignalImportStore["Service"]["removeBlocks"] = (of, gone) =>
        sql`
          delete from signal
          where ${isImported(of)}
            and (topic_id, score) in (
              select g."topicId", g.score
              from jsonb_to_recordset(${JSON.stringify(gone)}::text::jsonb)
                as g ("topicId" integer, score smallint)
            )`.pipe(Effect.asVoid)

      const writeTopicDays = (date: string, days: ReadonlyArray<TopicDay>) =>
        sql`
          insert into topic_day (
            topic_id, date, unique_audience, total_signals, score_sum,
            high_audience, medium_audience, low_audience
          )
          select
            d."topicId", ${date}::date, d.audience, d.audience, d."scoreSum",
            d.high, d.medium, d.low
          from jsonb_to_recordset(${JSON.stringify(days)}::text::jsonb) as d (
            "topicId" integer, audience integer, "scoreSum" bigint,
            high integer, medium integer, low integer
          )
          on conflict (topic_id, date) do update set
            unique_audience = excluded.unique_audience,
            total_signals = excluded.total_signals,
            score_sum = excluded.score_sum,
            high_audience = excluded.high_audience,
            medium_audience = excluded.medium_audience,
            low_audience = excluded.low_audience`.pipe(Effect.asVoid)

      const writeDate = ({ date, organizationId }: ImportedDate, signals: number) =>
        sql`
          insert into signal_date (organization_id, origin, date, signals)
          values (${organizationId}, 'import', ${date}::date, ${signals})
          on conflict (organization_id, date, origin) do update set
            signals = excluded.signals,
            updated_at = now()`.pipe(Effect.asVoid)

      return SignalImportStore.of({
        scope,
        tryTurn,
        join,
        joinLong,
        lockNumbers: Effect.asVoid(
          sql`select pg_advisory_xact_lock(${advisoryLocks.signalPeople})`,
        ),
        numbersOf,
        giveNumbers,
        stagedCount,
        staged,
        clear: (of) => Effect.asVoid(sql`delete from signal_staged where ${isOfDate(of)}`),
        signalsOn,
        blocks,
        removeBlocks,
        writeTopicDays,
        writeDate,
      })
    }),
  )
}

/** Numbers of 32 bits as Postgres sends them, one every `step` bytes from `first` on. */
const integersOf = (bytes: Buffer, first: number, step: number): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  for (let at = first; at < bytes.length; at += step) numbers.push(bytes.readInt32BE(at))
  return numbers
}
