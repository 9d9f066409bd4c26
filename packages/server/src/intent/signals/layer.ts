// Wires the signals room together.
import { Effect, Layer } from "effect"
import { every } from "../../platform/jobs/every.ts"
import { SignalCopies } from "./copy/signal-copies.ts"
import { SignalErasureStore } from "./erasure/store.ts"
import { SignalImportStore } from "./import/store.ts"
import { RemoteSignals } from "./remote-signals-store.ts"
import { SignalRetention, SignalRetentionWorker } from "./retention/signal-retention.ts"
import { SignalRetentionStore } from "./retention/store.ts"
import { Signals } from "./signals.ts"
import { SignalStore } from "./store.ts"

/** The stores of this room. */
export const SignalStores = Layer.mergeAll(
  SignalErasureStore.layer,
  SignalImportStore.layer,
  SignalRetentionStore.layer,
  SignalStore.layer,
)

export const SignalServices = Layer.mergeAll(SignalCopies.layer, SignalRetention.layer).pipe(
  Layer.provideMerge(Signals.layer),
)

/** Deletes signals of erased people and replaced signals every minute. */
const RemoteSignalsWorker = Layer.effectDiscard(
  Effect.flatMap(RemoteSignals, (remote) =>
    remote === undefined
      ? Effect.void
      : every("1 minute", "signals not deleted from ClickHouse", remote.clean),
  ),
)

/** The background workers of this room. */
export const SignalWorkers = Layer.merge(RemoteSignalsWorker, SignalRetentionWorker)
