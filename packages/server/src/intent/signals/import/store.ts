// SQL for importing signals, except people's numbers (numbers-store.ts). Received signals wait in `signal_staged`;
// one transaction per date moves them to `signal`.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import { integersOf, type NumbersStore, numbersStore } from "./numbers-store.ts"
import { signalDaysMax } from "./signal-row.ts"
import { type StagedEntries, stagedEntries } from "./staged-entries.ts"
import type { Block, TopicDay } from "./topic-merge.ts"

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

/** A large date takes longer than statements usually may. */
const statementTimeout = "10min"

/** Pieces read at once, some 3 MiB. */
const piecesMax = 4

export class SignalImportStore extends Context.Service<
  SignalImportStore,
  NumbersStore & {
    /** What signals may name today: topics, and the first and last date. */
    readonly scope: Result<{
      readonly topicIds: ReadonlySet<number>
      readonly dates: readonly [first: string, last: string]
    }>
    /** Takes the turn of the organization's imports until the transaction ends, if it is free. */
    tryTurn(organizationId: string): Result<boolean>
    /** Waits for other writers of the organization's signals, and blocks new ones until the transaction ends. */
    join(organizationId: string): Result<void>
    /** Like `join`, for as long as merging a date may take. */
    joinLong(organizationId: string): Result<void>
    /** Number of staged signals. */
    stagedCount(day: ImportedDate): Result<number>
    /** The next pieces after one, in order of arrival. */
    staged(day: ImportedDate, behind: bigint): Result<ReadonlyArray<StagedPiece>>
    clear(day: ImportedDate): Result<void>
    /** Returns the number of imported signals for some of the date's topics, without topics that have none. */
    signalsOf(
      day: ImportedDate,
      topicIds: ReadonlyArray<number>,
    ): Result<ReadonlyMap<number, number>>
    /** Every topic of the date with its number of imported signals. */
    topicsOn(day: ImportedDate): Result<ReadonlyMap<number, number>>
    /** Number of imported signals of the date; undefined if it does not exist. */
    signalsOn(day: ImportedDate): Result<number | undefined>
    blocks(
      day: ImportedDate,
      topicIds: ReadonlyArray<number>,
    ): Result<ReadonlyMap<number, ReadonlyArray<Block>>>
    removeBlocks(
      day: ImportedDate,
      blocks: ReadonlyArray<{ readonly topicId: number; readonly score: number }>,
    ): Result<void>
    writeTopicDays(date: string, days: ReadonlyArray<TopicDay>): Result<void>
    /** Stores the date in Postgres from then on. */
    writeDate(day: ImportedDate, signals: number): Result<void>
    /** Removes the date's imported signals from Postgres, once another store has them. */
    removeSignals(day: ImportedDate): Result<void>
    /** Dates with imported signals, in Postgres or elsewhere, the latest first. */
    datesIn(place: "postgres" | "elsewhere"): Result<ReadonlyArray<ImportedDate>>
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
          dates: [dates!.first, dates!.last] as const, // always one row
        }
      })

      const tryTurn = (organizationId: string) =>
        sql<{ readonly isTaken: boolean }>`
          select
            set_config('idle_in_transaction_session_timeout', '0', true),
            pg_try_advisory_xact_lock(
              ${advisoryLocks.signalImport}, hashtext(${organizationId})
            ) as "isTaken"`.pipe(Effect.map(([row]) => row!.isTaken))

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

      const onDate = ({ date, organizationId }: ImportedDate) =>
        sql`organization_id = ${organizationId} and date = ${date}::date`
      const isImported = (day: ImportedDate) => sql`${onDate(day)} and origin = 'import'`

      const stagedCount = (day: ImportedDate) =>
        sql<{ readonly signals: number }>`
          select coalesce(sum(signals), 0)::float8 as signals
          from signal_staged where ${onDate(day)}`.pipe(Effect.map(([row]) => row!.signals))

      const staged = (day: ImportedDate, behind: bigint) =>
        sql<{ readonly id: bigint; readonly importId: string; readonly entries: Buffer }>`
          select id, import_id as "importId", entries
          from signal_staged
          where ${onDate(day)} and id > ${behind}
          order by id
          limit ${piecesMax}`.pipe(
          Effect.map((rows) =>
            rows.map(({ entries, ...piece }) => ({ ...piece, entries: stagedEntries(entries) })),
          ),
        )

      const signalsOn = (day: ImportedDate) =>
        sql<{ readonly signals: number }>`
          select signals::float8 as signals from signal_date where ${isImported(day)}`.pipe(
          Effect.map(([row]) => row?.signals),
        )

      const inTopics = (topicIds: ReadonlyArray<number>) =>
        sql`topic_id in (
          select value::int
          from jsonb_array_elements_text(${JSON.stringify(topicIds)}::text::jsonb)
        )`

      // Four bytes each as stored, so they are counted without being read.
      const signalsWhere = (condition: Statement.Fragment) =>
        sql<{ readonly topicId: number; readonly signals: number }>`
          select topic_id as "topicId", sum(pg_column_size(people) / 4)::float8 as signals
          from signal
          where ${condition}
          group by topic_id`.pipe(
          Effect.map((rows) => new Map(rows.map(({ signals, topicId }) => [topicId, signals]))),
        )
      const signalsOf = (day: ImportedDate, topicIds: ReadonlyArray<number>) =>
        signalsWhere(sql`${isImported(day)} and ${inTopics(topicIds)}`)

      const blocks = (day: ImportedDate, topicIds: ReadonlyArray<number>) =>
        sql<{ readonly topicId: number; readonly score: number; readonly people: Buffer }>`
          select topic_id as "topicId", score, array_send(people) as people
          from signal
          where ${isImported(day)} and ${inTopics(topicIds)}
          order by topic_id, score`.pipe(
          Effect.map((rows) => {
            const byTopic = new Map<number, Array<Block>>()
            for (const { people, score, topicId } of rows) {
              const block = { score, people: integersOf(people, 24, 8) }
              const known = byTopic.get(topicId)
              if (known === undefined) byTopic.set(topicId, [block])
              else known.push(block)
            }
            return byTopic
          }),
        )

      const removeBlocks: SignalImportStore["Service"]["removeBlocks"] = (day, gone) =>
        sql`
          delete from signal
          where ${isImported(day)}
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
            generation = null,
            updated_at = now()`.pipe(Effect.asVoid)

      const datesIn = (place: "postgres" | "elsewhere") => sql<ImportedDate>`
        select organization_id as "organizationId", date
        from signal_date
        where origin = 'import' and (generation is null) = ${place === "postgres"}
        order by date desc, organization_id`

      return SignalImportStore.of({
        scope,
        tryTurn,
        join,
        joinLong,
        ...numbersStore(sql),
        stagedCount,
        staged,
        clear: (day) => Effect.asVoid(sql`delete from signal_staged where ${onDate(day)}`),
        signalsOn,
        signalsOf,
        topicsOn: (day) => signalsWhere(isImported(day)),
        blocks,
        removeBlocks,
        writeTopicDays,
        writeDate,
        removeSignals: (day) => Effect.asVoid(sql`delete from signal where ${isImported(day)}`),
        datesIn,
      })
    }),
  )
}
