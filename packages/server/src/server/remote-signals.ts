// Stores imported signals in ClickHouse if the configuration names one (spec 18.2). Without it, a server whose dates
// are in ClickHouse refuses to start, because it would respond as if they did not exist.
import { Effect, Layer, Redacted } from "effect"
import { ConfigInvalid, ServerConfig } from "../config.ts"
import { clickHouseAt } from "../topics/signals/clickhouse/clickhouse-store.ts"
import { hasGenerations } from "../topics/signals/clickhouse/generations-store.ts"
import { clickHouseSignals } from "../topics/signals/clickhouse/signals-store.ts"
import { RemoteSignals } from "../topics/signals/remote-signals-store.ts"

export const RemoteSignalsLayer = Layer.effect(
  RemoteSignals,
  Effect.gen(function* () {
    const { clickHouse } = yield* ServerConfig
    if (clickHouse === undefined) {
      return (yield* hasGenerations) ? yield* needed : undefined
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
