// Imports of topics and signals on a separate database: sends records, and reads the tables as signals.
import { Effect, Layer, Stream } from "effect"
import type { ImportFormat } from "../../src/people/imports/import-format.ts"
import type { ImportKind } from "../../src/people/imports/import-kind.ts"
import { Imports } from "../../src/people/imports/imports.ts"
import { TopicImportStore } from "../../src/intent/topics/import/store.ts"
import { TopicImports } from "../../src/intent/topics/import/topic-imports.ts"
import { SignalImports } from "../../src/intent/signals/import/signal-imports.ts"
import { SignalImportStore } from "../../src/intent/signals/import/store.ts"
import { Signals } from "../../src/intent/signals/signals.ts"
import { SignalStore } from "../../src/intent/signals/store.ts"
import { organizationId } from "../identification/identification-layer.ts"
import { ndjson, rows, sha256, testLayer } from "../people/people-layer.ts"
import { remoteSignalLines, testRemoteSignals } from "../support/clickhouse.ts"

export const signalsLayer = Layer.mergeAll(
  Signals.layer,
  SignalImports.layer,
  TopicImports.layer,
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(SignalStore.layer, SignalImportStore.layer, TopicImportStore.layer),
  ),
  Layer.provideMerge(testRemoteSignals),
  Layer.provideMerge(testLayer),
)

export interface TopicRecord {
  readonly topicId: number
  readonly topicName?: string
  readonly type?: string
  readonly industry?: string
  readonly category?: string
}

export interface SignalRecord {
  readonly topicId: number
  readonly emailHash: string
  readonly score: number
  readonly date: string
}

export const topic = (topicId: number, change: object = {}) => ({
  topicId,
  topicName: `Topic ${topicId}`,
  type: "b2b",
  industry: "logistics",
  category: "warehousing",
  ...change,
})

/** The calendar day this many days before today in UTC. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export const hashOf = (person: number): string => sha256(`p${person}@harbor.example`)

export const signal = (
  topicId: number,
  person: number,
  score: number,
  date: string,
): SignalRecord => ({ topicId, emailHash: hashOf(person), score, date })

export const signalsCsv = (records: ReadonlyArray<SignalRecord>): string =>
  [
    "topicId,emailHash,score,date",
    ...records.map(({ date, emailHash, score, topicId }) =>
      [topicId, emailHash, score, date].join(","),
    ),
  ].join("\n")

interface Sending {
  readonly organizationId?: string
  readonly format?: ImportFormat
}

export const signals = Effect.map(SignalImports, ({ kind }) => kind)
export const topics = Effect.map(TopicImports, ({ kind }) => kind)

/** Sends a stream unchanged. */
export const send = <E = never, R = never>(
  kind: Effect.Effect<ImportKind, never, SignalImports | TopicImports>,
  input: string | Stream.Stream<Uint8Array, E, R>,
  sending: Sending = {},
) =>
  Effect.gen(function* () {
    const imports = yield* Imports
    const context = yield* Effect.context<R>()
    return yield* imports.run({
      kind: yield* kind,
      format: sending.format ?? "ndjson",
      input:
        typeof input === "string"
          ? Stream.make(Buffer.from(input))
          : Stream.provideContext(input, context),
      organizationId: sending.organizationId ?? organizationId,
      isShared: false,
      actor: { type: "operator" },
    })
  })

export const sendTopics = (records: ReadonlyArray<object>, sending: Sending = {}) =>
  send(topics, ndjson(records), sending)

export const sendSignals = (records: ReadonlyArray<object>, sending: Sending = {}) =>
  send(signals, ndjson(records), sending)

/** Makes the organization the operator organization. */
export const makeOperator = rows(
  `insert into organization (id, name, slug, is_operator) values ($1, 'Operator', 'operator', true)
   on conflict (id) do update set is_operator = true`,
  [organizationId],
)

/** Returns everything visible, as comparable lines without random numbers. */
export const stateOf = Effect.gen(function* () {
  const signals = yield* rows<{ line: string }>(`
    select concat_ws(' ', s.organization_id, s.origin, s.date, s.topic_id, s.score,
      encode(p.email_hash, 'hex')) as line
    from signal s
    cross join lateral unnest(s.people) as person
    left join signal_person p on p.id = person
    order by line`)
  const dates = yield* rows<{ line: string }>(`
    select concat_ws(' ', organization_id, origin, date, signals) as line
    from signal_date order by line`)
  const days = yield* rows<{ line: string }>(`
    select concat_ws(' ', date, topic_id, unique_audience, total_signals, score_sum,
      high_audience, medium_audience, low_audience) as line
    from topic_day order by line`)
  return {
    signals: [...signals.map(({ line }) => line), ...(yield* remoteSignalLines)].toSorted(),
    dates: dates.map(({ line }) => line),
    days: days.map(({ line }) => line),
  }
})
