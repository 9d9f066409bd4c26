// SQL on ClickHouse. Signals are stored in sets called generations: each holds the imported signals of one date of an
// organization, and Postgres names the current set of each date (generations-store.ts). A set is written before it is
// named and never changes while it is, except when people are erased. It contains only people's numbers; their hashes
// are in Postgres.
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { ImportedDate } from "../import/store.ts"
import type { Block } from "../import/topic-merge.ts"
import type { SignalPlace, SignalQuestion, TopicBlock } from "../remote-signals-store.ts"
import {
  type ClickHouse,
  literals,
} from "../../../platform/outbound/clickhouse/clickhouse-store.ts"
import { blockRow, RowBinary } from "../../../platform/outbound/clickhouse/row-binary.ts"
import { clickHouseTables, type Table } from "../../../platform/outbound/clickhouse/tables-store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** A set of signals. */
export interface Generation extends ImportedDate {
  readonly generation: string
}

/** A set named by Postgres, and its erased people. */
export interface NamedGeneration extends Generation {
  readonly gone: ReadonlyArray<number>
}

/** Where an erased person occurs. */
export interface Hit {
  readonly generation: string
  readonly date: string
  readonly topicId: number
  readonly score: number
  readonly person: number
}

/** How long writing a set may take before it is named. */
const unnamedHoursMax = 24

const tables: readonly [Table, Table] = [
  {
    name: "footfall_signal",
    columns: `organization_id UUID, generation UUID, date Date, topic_id UInt32, score UInt8,
      person UInt32`,
    engine: "MergeTree",
    order: "partition by date order by (organization_id, generation, topic_id, score, person)",
    shardingKey: "intHash64(person)",
  },
  {
    name: "footfall_generation",
    // `is_gone`: its signals are being deleted.
    columns: `organization_id UUID, generation UUID, date Date, is_gone UInt8,
      made_at DateTime default now()`,
    engine: "MergeTree",
    order: "order by generation",
    shardingKey: "cityHash64(generation)",
  },
]

/** `cluster`: its name in `system.clusters`; undefined for one server. */
export const signalTables = (clickHouse: ClickHouse, cluster: string | undefined) =>
  clickHouseTables(clickHouse, cluster, tables)

const isOf = ({ date, generation, organizationId }: Generation): string =>
  `organization_id = ${literals.uuid(organizationId)} and date = ${literals.date(date)}
    and generation = ${literals.uuid(generation)}`

const isNot = (gone: ReadonlyArray<number>): string =>
  gone.length === 0 ? "" : `and person not in ${literals.integers(gone)}`

/** `cluster`: undefined if ClickHouse is one server. */
export const blocksStore = (clickHouse: ClickHouse, cluster: string | undefined) => {
  const { deleteFrom, insertInto, make, select } = signalTables(clickHouse, cluster)

  const note = ({ date, generation, organizationId }: Generation, isGone: boolean) =>
    insertInto("footfall_generation", "organization_id, generation, date, is_gone").pipe(
      Effect.flatMap((insert) =>
        clickHouse.run(`
          ${insert} values (
            ${literals.uuid(organizationId)}, ${literals.uuid(generation)}, ${literals.date(date)},
            ${isGone ? 1 : 0}
          )`),
      ),
    )

  const signalColumns = "organization_id, generation, date, topic_id, score, person"

  return {
    makeTables: make,

    /** Call it before writing into the set. */
    begin: (of: Generation): Result<void> => note(of, false),

    write: (of: Generation, blocks: Iterable<TopicBlock>): Result<void> =>
      Effect.flatMap(insertInto("footfall_signal", signalColumns), (insert) =>
        clickHouse.insert(
          `${insert}
          select ${literals.uuid(of.organizationId)}, ${literals.uuid(of.generation)},
            ${literals.date(of.date)}, topic_id, score, person
          from input('topic_id UInt32, score UInt8, people Array(UInt32)')
          array join people as person
          format RowBinary`,
          Array.from(blocks, ({ people, score, topicId }) => blockRow(topicId, score, people)),
        ),
      ),

    /** Copies the topics of the other set that this one lacks. */
    copyRest: (of: Generation, from: NamedGeneration): Result<void> =>
      Effect.flatMap(insertInto("footfall_signal", signalColumns), (insert) =>
        // Global: a shard may have none of a topic's people.
        clickHouse.run(`
          ${insert}
          select organization_id, ${literals.uuid(of.generation)}, date, topic_id, score, person
          from footfall_signal
          where ${isOf(from)} ${isNot(from.gone)}
            and topic_id global not in (
              select distinct topic_id from footfall_signal where ${isOf(of)}
            )`),
      ),

    count: (of: Generation): Result<number> =>
      Effect.map(select(`select count() from footfall_signal where ${isOf(of)}`), (bytes) =>
        new RowBinary(bytes).count(),
      ),

    counts: (
      of: NamedGeneration,
      /** Default: every topic. */
      topicIds?: ReadonlyArray<number>,
    ): Result<ReadonlyMap<number, number>> =>
      select(`
        select topic_id, count()
        from footfall_signal
        where ${isOf(of)} ${isNot(of.gone)}
          ${topicIds === undefined ? "" : `and topic_id in ${literals.integers(topicIds)}`}
        group by topic_id`).pipe(
        Effect.map((bytes) => {
          const counts = new Map<number, number>()
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            counts.set(rows.integer(), rows.count())
          }
          return counts
        }),
      ),

    blocks: (
      of: NamedGeneration,
      topicIds: ReadonlyArray<number>,
    ): Result<ReadonlyMap<number, ReadonlyArray<Block>>> =>
      select(`
        select topic_id, score, arraySort(groupArray(person)) as people
        from footfall_signal
        where ${isOf(of)} and topic_id in ${literals.integers(topicIds)} ${isNot(of.gone)}
        group by topic_id, score
        order by topic_id, score`).pipe(
        Effect.map((bytes) => {
          const byTopic = new Map<number, Array<Block>>()
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            const topicId = rows.integer()
            const block = { score: rows.byte(), people: rows.integers() }
            const known = byTopic.get(topicId)
            if (known === undefined) byTopic.set(topicId, [block])
            else known.push(block)
          }
          return byTopic
        }),
      ),

    /** Arrays of people in Postgres syntax, by topic and score. */
    people: (of: NamedGeneration, { minScore, topicIds }: SignalQuestion) =>
      select(`
        select topic_id, score,
          concat('{', arrayStringConcat(groupArray(toString(person)), ','), '}') as people
        from footfall_signal
        where ${isOf(of)} and topic_id in ${literals.integers(topicIds)}
          and score >= ${literals.integers([minScore])} ${isNot(of.gone)}
        group by topic_id, score`).pipe(
        Effect.map((bytes) => {
          const blocks: Array<{ topicId: number; score: number; people: string }> = []
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            blocks.push({ topicId: rows.integer(), score: rows.byte(), people: rows.text() })
          }
          return blocks
        }),
      ),

    /** The next signals after one, in order of topic, score and person. */
    page: (of: NamedGeneration, { person, score, topicId }: SignalPlace, limit: number) =>
      select(`
        select topic_id, score, person
        from footfall_signal
        where ${isOf(of)} ${isNot(of.gone)} and topic_id >= ${literals.integer(topicId)}
          and (topic_id, score, person) > ${literals.integers([topicId, score, person])}
        order by topic_id, score, person
        limit ${literals.integer(limit)}`).pipe(
        Effect.map((bytes) => {
          const found: Array<{ topicId: number; score: number; people: Array<number> }> = []
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            const [topicId, score, person] = [rows.integer(), rows.byte(), rows.integer()]
            const last = found.at(-1)
            if (last?.topicId === topicId && last.score === score) last.people.push(person)
            else found.push({ topicId, score, people: [person] })
          }
          return found.map((one): TopicBlock => ({ ...one, people: Int32Array.from(one.people) }))
        }),
      ),

    /** Whether the whole set still existed when it was read. */
    isThere: ({ generation }: Generation): Result<boolean> =>
      Effect.map(
        select(`
          select count(), countIf(is_gone = 1) from footfall_generation
          where generation = ${literals.uuid(generation)}`),
        (bytes) => {
          const row = new RowBinary(bytes)
          return row.count() > 0 && row.count() === 0
        },
      ),

    /** In every set of the organization, including unnamed ones. */
    hits: (organizationId: string, people: ReadonlyArray<number>): Result<ReadonlyArray<Hit>> =>
      select(`
        select toString(generation), toString(date), topic_id, score, person
        from footfall_signal
        where organization_id = ${literals.uuid(organizationId)}
          and person in ${literals.integers(people)}`).pipe(
        Effect.map((bytes) => {
          const hits: Array<Hit> = []
          for (const rows = new RowBinary(bytes); rows.hasMore;) {
            hits.push({
              generation: rows.text(),
              date: rows.text(),
              topicId: rows.integer(),
              score: rows.byte(),
              person: rows.integer(),
            })
          }
          return hits
        }),
      ),

    deletePeople: (generation: string, people: ReadonlyArray<number>): Result<void> =>
      deleteFrom(
        "footfall_signal",
        `generation = ${literals.uuid(generation)} and person in ${literals.integers(people)}`,
      ),

    /** Sets old enough that they must be named by now, if ever. */
    settled: select(`
      select toString(organization_id), toString(generation), toString(date)
      from footfall_generation
      group by organization_id, generation, date
      having max(is_gone) = 1 or min(made_at) < now() - interval ${unnamedHoursMax} hour`).pipe(
      Effect.map((bytes) => {
        const sets: Array<Generation> = []
        for (const rows = new RowBinary(bytes); rows.hasMore;) {
          sets.push({ organizationId: rows.text(), generation: rows.text(), date: rows.text() })
        }
        return sets
      }),
    ),

    /** If it is interrupted, the next call finishes it. */
    delete: (of: Generation): Result<void> =>
      Effect.all(
        [
          // First, so that a reader who has just finished learns that data may have been missing.
          note(of, true),
          deleteFrom("footfall_signal", isOf(of)),
          deleteFrom("footfall_generation", `generation = ${literals.uuid(of.generation)}`),
        ],
        { discard: true },
      ),
  }
}

export type BlocksStore = ReturnType<typeof blocksStore>
