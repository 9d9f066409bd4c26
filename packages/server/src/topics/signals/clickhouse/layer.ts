// Imported signals in ClickHouse where the configuration names one (spec 18.2). Without, a server whose dates are there
// does not start: it would answer as if they were gone.
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ConfigInvalid, ServerConfig } from "../../../config.ts"
import { every } from "../../../jobs/every.ts"
import { RemoteSignals } from "../remote-signals.ts"
import { clickHouseAt } from "./clickhouse.ts"
import { generationsStore } from "./generations-store.ts"
import { clickHouseSignals } from "./remote-signals.ts"

export const RemoteSignalsLayer = Layer.effect(
  RemoteSignals,
  Effect.gen(function* () {
    const { clickHouse } = yield* ServerConfig
    if (clickHouse === undefined) {
      const hasAny = yield* generationsStore(yield* SqlClient.SqlClient).hasAny
      return hasAny ? yield* needed : undefined
    }
    const { close, ...client } = clickHouseAt(Redacted.value(clickHouse.url))
    yield* Effect.addFinalizer(() => close)
    return yield* clickHouseSignals(client, clickHouse)
  }),
)

const needed = new ConfigInvalid({
  variable: "CLICKHOUSE_URL",
  message: "CLICKHOUSE_URL: it is required, because signals of this database are in ClickHouse.",
})

/** Deletes signals of erased people, and those that were replaced, every minute. */
export const RemoteSignalsWorker = Layer.effectDiscard(
  Effect.flatMap(RemoteSignals, (remote) =>
    remote === undefined
      ? Effect.void
      : every("1 minute", "signals not deleted from ClickHouse", remote.clean),
  ),
)
