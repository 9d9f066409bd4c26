// What the server needs from a signal store other than Postgres (spec 18.2). Such a store only holds imported
// signals, each date of an organization as a whole; signals of pixels are always in Postgres.
import { Context, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { SqlText } from "../../platform/database/sql-text.ts"
import type { ImportedDate } from "./import/store.ts"
import type { Block } from "./import/topic-merge.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface SignalQuestion {
  readonly organizationId: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly topicIds: ReadonlyArray<number>
  readonly minScore: number
}

export interface TopicBlock extends Block {
  readonly topicId: number
}

/** One signal of a date, by which the next ones are found. */
export interface SignalPlace {
  readonly topicId: number
  readonly score: number
  readonly person: number
}

/** The signals of a date, for the transaction that adds to them. */
export interface DateBlocks {
  /** Undefined if the date does not exist. */
  readonly signals: number | undefined
  /** Whether a changed topic must be written with its unchanged blocks. */
  readonly areTopicsWhole: boolean
  /** Approximate number of signals for each topic that has any. */
  signalsOf(topicIds: ReadonlyArray<number>): Result<ReadonlyMap<number, number>>
  blocks(topicIds: ReadonlyArray<number>): Result<ReadonlyMap<number, ReadonlyArray<Block>>>
  /** Every topic with its approximate number of signals. */
  readonly topics: Result<ReadonlyMap<number, number>>
  /** What will be current after `publish`, for topics that were written. */
  written(topicIds: ReadonlyArray<number>): Result<ReadonlyMap<number, ReadonlyArray<Block>>>
  /** Removes `gone` first. Each topic is written at most once. */
  write(changes: {
    readonly written: Iterable<TopicBlock>
    readonly gone: ReadonlyArray<{ readonly topicId: number; readonly score: number }>
  }): Result<void>
  /** Makes the written signals current when the transaction commits. `signals`: their number. */
  publish(signals: number): Result<void>
}

/** The signals for a question that are not in Postgres. */
export interface RemoteRelation {
  /** A relation of `person`, `topic_id` and `score` that a Postgres statement can join. Undefined if there are none. */
  readonly signals: SqlText | undefined
  /**
   * Check it after the statements. False if signals were replaced or moved to another store meanwhile, so the
   * statements may have missed some.
   */
  readonly isCurrent: Result<boolean>
}

/** For a server with all signals in Postgres. */
export const nothingRemote: RemoteRelation = {
  signals: undefined,
  isCurrent: Effect.succeed(true),
}

export interface RemoteSignalsStore {
  /** Finds who has own or shared signals for the topics. */
  relation(question: SignalQuestion): Result<RemoteRelation>
  /**
   * The next signals of a date after one, in order of topic, score and person. Undefined if they were replaced or moved
   * since the date had this `generation`.
   */
  page(
    day: ImportedDate & { readonly generation: string },
    after: SignalPlace,
    limit: number,
  ): Result<ReadonlyArray<TopicBlock> | undefined>
  /** Undefined if the date is in Postgres. */
  open(day: ImportedDate): Result<DateBlocks | undefined>
  /** For the signals of a date that is in Postgres. The caller removes them there in the same transaction. */
  create(day: ImportedDate): DateBlocks
  /**
   * Removes the people from every result and figure when the transaction commits; `clean` deletes their signals.
   * Requires the lock of an erasure.
   */
  erase(organizationId: string, numbers: ReadonlyArray<number>): Result<void>
  /** Deletes signals that no result uses anymore. Safe from several processes, and repeatable. */
  readonly clean: Result<void>
}

/** Undefined if all signals are in Postgres. */
export const RemoteSignals = Context.Reference<RemoteSignalsStore | undefined>(
  "@footfall/server/topics/RemoteSignals",
  { defaultValue: () => undefined },
)
