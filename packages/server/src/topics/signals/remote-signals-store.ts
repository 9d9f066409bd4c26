// Signals that are not kept in Postgres (spec 18.2): what the rest of the server asks of their store. Imported
// signals alone, a date of an organization as a whole; those of pixels are always in Postgres.
import { Context, type Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { SqlText } from "../../database/sql-text.ts"
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

/** The signals of a date, for the transaction that adds to them. */
export interface DateBlocks {
  /** Undefined: the date is not there. */
  readonly signals: number | undefined
  /** Whether a topic that changes is written with its unchanged blocks. */
  readonly areTopicsWhole: boolean
  /** Signals of each of the topics that has some, about. */
  signalsOf(topicIds: ReadonlyArray<number>): Result<ReadonlyMap<number, number>>
  blocks(topicIds: ReadonlyArray<number>): Result<ReadonlyMap<number, ReadonlyArray<Block>>>
  /** `gone` are removed first. No topic is written twice. */
  write(changes: {
    readonly written: ReadonlyArray<TopicBlock>
    readonly gone: ReadonlyArray<{ readonly topicId: number; readonly score: number }>
  }): Result<void>
  /** Makes what was written the date's when the transaction commits. `signals`: its count. */
  publish(signals: number): Result<void>
}

export interface RemoteSignalsStore {
  /**
   * Who has signals for the topics, own or shared: a relation of `person`, `topic_id` and `score`, which a
   * statement on Postgres can join. Undefined: none are kept here.
   */
  relation(question: SignalQuestion): Result<SqlText | undefined>
  /** Undefined: the date is one of Postgres. */
  open(of: ImportedDate): Result<DateBlocks | undefined>
  /**
   * Takes the people out of every answer and figure when the transaction commits; `clean` deletes their
   * signals. Under the lock of an erasure.
   */
  erase(organizationId: string, numbers: ReadonlyArray<number>): Result<void>
  /** Deletes what no answer names any longer. Safe from several processes, and to be repeated. */
  readonly clean: Result<void>
}

/** Undefined: every signal is in Postgres. */
export const RemoteSignals = Context.Reference<RemoteSignalsStore | undefined>(
  "@footfall/server/topics/RemoteSignals",
  { defaultValue: () => undefined },
)
