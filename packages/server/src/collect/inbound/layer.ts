// Wires inbound sources together. A later room implements RecordGuard.
import { Effect, Layer } from "effect"
import { every } from "../../platform/jobs/every.ts"
import { Door } from "./door.ts"
import { Inbound } from "./inbound.ts"
import { InboundRecordStore } from "./records-store.ts"
import { KnownSources } from "./spool/known-sources.ts"
import { Spool } from "./spool/spool.ts"
import { InboundStore } from "./store.ts"
import { Taking } from "./taking.ts"

/** The stores of this room. */
export const InboundStores = Layer.merge(InboundStore.layer, InboundRecordStore.layer)

export const InboundServices = Layer.merge(Door.layer, Inbound.layer).pipe(
  Layer.provideMerge(Layer.merge(KnownSources.layer, Spool.layer)),
  Layer.provideMerge(Taking.layer),
)

const rowsPerTurn = 1_000

/** Deletes what the history keeps no longer. */
export const InboundWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const records = yield* InboundRecordStore
    yield* every(
      "10 minutes",
      "inbound history not expired",
      Effect.repeat(records.expire(rowsPerTurn), { while: (hasMore) => hasMore }),
    )
  }),
)
