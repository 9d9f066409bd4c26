// Imported signals in ClickHouse (spec 18.2). Each import of a date writes a new set of signals that no one reads
// before the Postgres transaction that names it commits: a date becomes visible all at once, together with everything
// else the import writes. Unnamed sets are deleted later.
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { sqlText } from "../../../platform/database/sql-text.ts"
import type { ImportedDate } from "../import/store.ts"
import type { DateBlocks, RemoteSignalsStore, SignalQuestion } from "../remote-signals-store.ts"
import {
  type BlocksStore,
  blocksStore,
  type Generation,
  type NamedGeneration,
} from "./blocks-store.ts"
import type { ClickHouse } from "../../../platform/outbound/clickhouse/clickhouse-store.ts"
import { generationsStore } from "./generations-store.ts"

/** Approximate size of a question's signals, which are sent to Postgres as text. Units: bytes. */
const questionBytesMax = 256 * 1_048_576

/** How often a question is repeated if its signals are replaced meanwhile. */
const questionsMax = 5

export interface ClickHouseSignalsOptions {
  /** Whether new dates are stored here; otherwise in Postgres. */
  readonly takesNew: boolean
  /** Undefined if ClickHouse is one server. */
  readonly cluster: string | undefined
}

/** Creates its tables on first use, so a server also starts without ClickHouse. */
export const clickHouseSignals = Effect.fnUntraced(function* (
  clickHouse: ClickHouse,
  { cluster, takesNew }: ClickHouseSignalsOptions,
) {
  const generations = generationsStore(yield* SqlClient.SqlClient)
  const store = blocksStore(clickHouse, cluster)
  let hasTables = false
  const prepared = Effect.suspend(() =>
    hasTables
      ? Effect.void
      : Effect.tap(store.makeTables, () => Effect.sync(() => (hasTables = true))),
  )

  /** Undefined if a set was replaced while it was read. */
  const read = Effect.fnUntraced(function* (
    sets: ReadonlyArray<NamedGeneration>,
    question: SignalQuestion,
  ) {
    const blocks = (yield* Effect.forEach(sets, (set) => store.people(set, question), {
      concurrency: 2,
    })).flat()
    const areThere = yield* Effect.forEach(sets, store.isThere, { concurrency: 2 })
    return areThere.every(Boolean) ? blocks : undefined
  })

  const relation = Effect.fnUntraced(function* (question: SignalQuestion) {
    for (let asked = 0; asked < questionsMax; asked++) {
      const sets = yield* generations.usable(question)
      const isCurrent = Effect.map(
        generations.usable(question),
        (now) => generationsOf(now) === generationsOf(sets),
      )
      if (sets.length === 0) return { signals: undefined, isCurrent }
      const blocks = yield* read(sets, question)
      if (blocks === undefined) continue
      const bytes = blocks.reduce((sum, { people }) => sum + people.length, 0)
      if (bytes > questionBytesMax) return yield* tooMany
      const signals = sqlText`
        select named.person, block.topic_id, block.score
        from unnest(
          ${blocks.map(({ topicId }) => String(topicId))}::text[]::integer[],
          ${blocks.map(({ score }) => String(score))}::text[]::integer[],
          ${blocks.map(({ people }) => people)}::text[]
        ) as block (topic_id, score, people)
        cross join unnest(block.people::integer[]) as named (person)`
      return { signals, isCurrent }
    }
    return yield* missing(question.date)
  })

  const page: RemoteSignalsStore["page"] = Effect.fnUntraced(function* (day, after, limit) {
    const known = yield* generations.date(day)
    if (known?.generation !== day.generation) return
    const blocks = yield* store.page(known, after, limit)
    return (yield* store.isThere(known)) ? blocks : undefined
  })

  const open = Effect.fnUntraced(function* (of: ImportedDate) {
    const known = yield* generations.date(of)
    if (known === undefined) return takesNew ? dateBlocks(of, undefined) : undefined
    if (known.generation === null) return undefined
    return dateBlocks(of, known)
  })

  const dateBlocks = (
    { date, organizationId }: ImportedDate,
    known: (NamedGeneration & { readonly signals: number }) | undefined,
  ): DateBlocks => {
    // A new one per attempt, so leftovers of an interrupted attempt belong to no one.
    const next: Generation = { organizationId, date, generation: randomUUID() }
    let hasBegun = false
    return {
      signals: known?.signals,
      areTopicsWhole: true,
      signalsOf: (topicIds) =>
        known === undefined ? Effect.succeed(new Map()) : store.counts(known, topicIds),
      blocks: (topicIds) =>
        known === undefined ? Effect.succeed(new Map()) : store.blocks(known, topicIds),
      topics: known === undefined ? Effect.succeed(new Map()) : store.counts(known),
      written: (topicIds) => store.blocks({ ...next, gone: [] }, topicIds),
      write: Effect.fnUntraced(function* ({ written }) {
        if (!hasBegun) yield* Effect.andThen(prepared, store.begin(next))
        hasBegun = true
        yield* store.write(next, written)
      }),
      publish: Effect.fnUntraced(function* (signals) {
        if (known !== undefined) yield* store.copyRest(next, known)
        const found = yield* store.count(next)
        if (found !== signals) return yield* incomplete(date, { found, signals })
        yield* generations.publish(next, { generation: next.generation, signals })
      }),
    }
  }

  const erase = Effect.fnUntraced(function* (
    organizationId: string,
    numbers: ReadonlyArray<number>,
  ) {
    yield* prepared
    const hits = yield* store.hits(organizationId, numbers)
    if (hits.length > 0) yield* generations.erase(organizationId, hits)
  })

  const clean = Effect.gen(function* () {
    yield* prepared
    for (const { generation, people } of yield* generations.gone) {
      yield* store.deletePeople(generation, people)
      yield* generations.forgetGone(generation, people)
    }
    yield* deleteUnnamed(store, generations)
  }).pipe(Effect.withSpan("ClickHouseSignals.clean"))

  const create = (of: ImportedDate) => dateBlocks(of, undefined)

  return { relation, page, open, create, erase, clean } satisfies RemoteSignalsStore
})

const generationsOf = (sets: ReadonlyArray<NamedGeneration>): string =>
  sets
    .map(({ generation }) => generation)
    .toSorted()
    .join()

const deleteUnnamed = Effect.fnUntraced(function* (
  store: BlocksStore,
  generations: ReturnType<typeof generationsStore>,
) {
  // Read first, so that a set named in the meantime is among the named ones.
  const settled = yield* store.settled
  const named = yield* generations.namedAmong(settled.map(({ generation }) => generation))
  yield* Effect.forEach(
    settled.filter(({ generation }) => !named.has(generation)),
    store.delete,
    { discard: true },
  )
})

const failure = (message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: new Error(message),
      message,
      operation: "ClickHouse",
    }),
  })

const missing = (date: string) =>
  failure(`the signals of ${date} are not in ClickHouse as Postgres says; restore both together`)

const incomplete = (date: string, { found, signals }: { found: number; signals: number }) =>
  failure(`ClickHouse holds ${found} signals of ${date} where ${signals} were written`)

/** The same error as for a statement that takes too long: a narrower question works. */
const tooMany = new SqlError.SqlError({
  reason: new SqlError.StatementTimeoutError({
    cause: new Error("too many signals"),
    message: "the question takes too many signals from ClickHouse",
    operation: "ClickHouse",
  }),
})
