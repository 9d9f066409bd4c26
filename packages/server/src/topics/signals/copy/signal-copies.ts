// Moves imported signals between Postgres and the other store, date by date (spec 18.4). Each date moves in one
// transaction that compares what was written with what was read, so a date is in one of them as a whole, and a copy that
// was interrupted continues with the dates that are left. Imports and erasures of the organization wait for its date.
import { createHash, type Hash } from "node:crypto"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { Copy, type CopyConnection } from "../../../database/copy.ts"
import type { DatabaseError } from "../../../database/database-error.ts"
import { ImportsBusy } from "../../../people/import/import-places.ts"
import { postgresBlocks } from "../import/postgres-blocks.ts"
import { slicesOf, SliceRowsMax } from "../import/slice.ts"
import { type ImportedDate, SignalImportStore } from "../import/store.ts"
import type { Block } from "../import/topic-merge.ts"
import { type DateBlocks, RemoteSignals, type RemoteSignalsStore } from "../remote-signals-store.ts"

export const signalStores = ["clickhouse", "postgres"] as const
export type SignalStoreName = (typeof signalStores)[number]

/** An import of the organization may run for long. */
const turnWait = "1 hour"
const turnInterval = "200 millis"

/** The configuration names no ClickHouse. */
export class ClickHouseMissing extends Schema.TaggedError<ClickHouseMissing>()(
  "ClickHouseMissing",
  {},
) {
  override get message(): string {
    return "CLICKHOUSE_URL is not set, so there is no ClickHouse to copy signals to. Set it for this command and for every server."
  }
}

/** What was written is not what was read. Nothing was changed. */
export class CopyDiffers extends Schema.TaggedError<CopyDiffers>()("CopyDiffers", {
  date: Schema.String,
  read: Schema.Int,
  written: Schema.Int,
}) {
  override get message(): string {
    return `The copy of ${this.date} does not match: read ${this.read} signals, wrote ${this.written}, and their checksums differ. The date stays where it was. Run the command again.`
  }
}

/** A date that was moved. */
export interface CopiedDate extends ImportedDate {
  readonly signals: number
  /** SHA-256 of its topics, scores and people, the same in both stores. */
  readonly sha256: string
}

/** Adds up blocks in the order of their topics and scores. */
class Checksum {
  readonly #hash: Hash = createHash("sha256")
  signals = 0

  add(topicIds: ReadonlyArray<number>, byTopic: ReadonlyMap<number, ReadonlyArray<Block>>): void {
    for (const topicId of topicIds) {
      for (const { people, score } of byTopic.get(topicId) ?? []) {
        this.#hash.update(Int32Array.of(topicId, score, people.length))
        this.#hash.update(people)
        this.signals += people.length
      }
    }
  }

  get sha256(): string {
    return this.#hash.copy().digest("hex")
  }
}

/** Slice by slice, which bounds the memory. */
const copyBlocks = Effect.fnUntraced(function* (
  { date }: ImportedDate,
  from: DateBlocks,
  into: DateBlocks,
): Effect.fn.Return<
  { readonly signals: number; readonly sha256: string },
  CopyDiffers | DatabaseError
> {
  const topics = yield* from.topics
  const ids = [...topics.keys()].toSorted((one, other) => one - other)
  const [read, written] = [new Checksum(), new Checksum()]
  for (const { first, last } of slicesOf(topics, yield* SliceRowsMax)) {
    const own = ids.filter((topicId) => topicId >= first && topicId <= last)
    const blocks = yield* from.blocks(own)
    read.add(own, blocks)
    yield* into.write({
      gone: [],
      written: [...blocks].flatMap(([topicId, some]) =>
        some.map((block) => ({ topicId, ...block })),
      ),
    })
    written.add(own, yield* into.written(own))
    yield* Effect.yieldNow
  }
  if (written.sha256 !== read.sha256) {
    return yield* new CopyDiffers({ date, read: read.signals, written: written.signals })
  }
  return { signals: read.signals, sha256: read.sha256 }
})

const make = Effect.gen(function* () {
  const copy = yield* Copy
  const store = yield* SignalImportStore
  const remote = yield* RemoteSignals

  /** Until the transaction ends, no other import or copy changes the organization's signals, and no erasure. */
  const takeTurn = (organizationId: string) =>
    store.tryTurn(organizationId).pipe(
      Effect.repeat({ until: (isTaken) => isTaken, schedule: Schedule.spaced(turnInterval) }),
      Effect.timeoutOrElse({
        duration: turnWait,
        orElse: () => Effect.fail(new ImportsBusy({ reason: "organization" })),
      }),
      Effect.andThen(store.joinLong(organizationId)),
    )

  const toClickHouse = Effect.fnUntraced(function* (
    of: ImportedDate,
    other: RemoteSignalsStore,
    connection: CopyConnection,
  ) {
    if ((yield* other.open(of)) !== undefined) return
    const from = yield* postgresBlocks(of, store, connection.intoBinary)
    if (from.signals === undefined) return
    const into = other.create(of)
    const copied = yield* copyBlocks(of, from, into)
    yield* into.publish(copied.signals)
    yield* store.removeSignals(of)
    return { ...of, ...copied }
  })

  const toPostgres = Effect.fnUntraced(function* (
    of: ImportedDate,
    other: RemoteSignalsStore,
    connection: CopyConnection,
  ) {
    const from = yield* other.open(of)
    if (from?.signals === undefined) return
    const into = yield* postgresBlocks(of, store, connection.intoBinary)
    const copied = yield* copyBlocks(of, from, into)
    yield* into.publish(copied.signals)
    return { ...of, ...copied }
  })

  return {
    /**
     * Moves every imported date that is in the other store, the latest first. Returns how many it moved.
     *
     * *Errors*: ClickHouseMissing; CopyDiffers, after which the date is where it was; ImportsBusy if an import of an
     * organization runs for an hour.
     */
    copyAll: Effect.fn("SignalCopies.copyAll")(function* (
      to: SignalStoreName,
      onDate: (copied: CopiedDate) => Effect.Effect<void>,
    ) {
      const total = { dates: 0, signals: 0 }
      if (remote === undefined) return to === "postgres" ? total : yield* new ClickHouseMissing()
      const move = to === "clickhouse" ? toClickHouse : toPostgres
      for (const of of yield* store.datesIn(to === "clickhouse" ? "postgres" : "elsewhere")) {
        const copied = yield* Effect.scoped(
          Effect.flatMap(copy.connect, (connection) =>
            connection.transaction(
              Effect.andThen(takeTurn(of.organizationId), move(of, remote, connection)),
            ),
          ),
        )
        // An import, an erasure or another copy may have been first.
        if (copied === undefined) continue
        total.dates += 1
        total.signals += copied.signals
        yield* onDate(copied)
      }
      return total
    }),
  }
})

export class SignalCopies extends Context.Service<SignalCopies, Effect.Success<typeof make>>()(
  "@footfall/server/topics/SignalCopies",
) {
  static readonly layer = Layer.effect(SignalCopies, make)
}
