// Moves imported signals between Postgres and the other store, date by date (spec 18.4). Each date moves in one
// transaction that compares what it wrote with what it read. So a date is always in exactly one store as a whole,
// and an interrupted copy can be repeated: it moves the remaining dates. Imports and erasures of the organization
// wait while one of its dates moves.
import { createHash, type Hash } from "node:crypto"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { Copy, type CopyConnection } from "../../../platform/database/copy.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { ImportsBusy } from "../../../people/imports/import-places.ts"
import { postgresBlocks } from "../import/postgres-blocks.ts"
import { slicesOf, SliceRowsMax } from "../import/slice.ts"
import { type ImportedDate, SignalImportStore } from "../import/store.ts"
import type { Block } from "../import/topic-merge.ts"
import { type DateBlocks, RemoteSignals, type RemoteSignalsStore } from "../remote-signals-store.ts"
import type { SignalStoreName } from "./signal-stores.ts"

/** An import of the organization can take long. */
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

/** The written signals differ from those that were read. Nothing was changed. */
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

/** A checksum over blocks in the order of their topics and scores. */
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

/** Copies slice by slice, which bounds the memory. */
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

  /** Keeps imports, copies and erasures from changing the organization's signals until the transaction ends. */
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
    day: ImportedDate,
    other: RemoteSignalsStore,
    connection: CopyConnection,
  ) {
    if ((yield* other.open(day)) !== undefined) return
    const from = yield* postgresBlocks(day, store, connection.intoBinary)
    if (from.signals === undefined) return
    const into = other.create(day)
    const copied = yield* copyBlocks(day, from, into)
    yield* into.publish(copied.signals)
    yield* store.removeSignals(day)
    return { ...day, ...copied }
  })

  const toPostgres = Effect.fnUntraced(function* (
    day: ImportedDate,
    other: RemoteSignalsStore,
    connection: CopyConnection,
  ) {
    const from = yield* other.open(day)
    if (from?.signals === undefined) return
    const into = yield* postgresBlocks(day, store, connection.intoBinary)
    const copied = yield* copyBlocks(day, from, into)
    yield* into.publish(copied.signals)
    return { ...day, ...copied }
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
      for (const day of yield* store.datesIn(to === "clickhouse" ? "postgres" : "elsewhere")) {
        const copied = yield* Effect.scoped(
          Effect.flatMap(copy.connect, (connection) =>
            connection.transaction(
              Effect.andThen(takeTurn(day.organizationId), move(day, remote, connection)),
            ),
          ),
        )
        // An import, an erasure or another copy may have changed the date first.
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
