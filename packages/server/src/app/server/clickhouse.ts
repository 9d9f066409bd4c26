// Stores imported signals and old events in ClickHouse if the configuration names one (spec 18.2, 18.3). Without it, a
// server whose signals or events are in ClickHouse refuses to start, because it would respond as if they did not exist.
import { Effect, Layer, Redacted } from "effect"
import { ServerConfig } from "../config/config.ts"
import { ConfigInvalid } from "../config/reading.ts"
import { EventArchiveDays } from "../../people/archive/event-archive.ts"
import { hasArchive } from "../../people/archive/store.ts"
import {
  clickHouseAt,
  OperatorClickHouse,
} from "../../platform/outbound/clickhouse/clickhouse-store.ts"
import { hasGenerations } from "../../intent/signals/clickhouse/generations-store.ts"
import { clickHouseSignals } from "../../intent/signals/clickhouse/signals-store.ts"
import { RemoteSignals } from "../../intent/signals/remote-signals-store.ts"

const needed = (what: string) =>
  new ConfigInvalid({
    variable: "CLICKHOUSE_URL",
    message: `CLICKHOUSE_URL: it is required, because ${what} of this database are in ClickHouse.`,
  })

const Client = Layer.effect(
  OperatorClickHouse,
  Effect.gen(function* () {
    const { clickHouse } = yield* ServerConfig
    if (clickHouse === undefined) {
      if (yield* hasGenerations) return yield* needed("signals")
      if (yield* hasArchive) return yield* needed("events")
      return undefined
    }
    const { close, ...client } = clickHouseAt(Redacted.value(clickHouse.url))
    yield* Effect.addFinalizer(() => close)
    return { ...client, cluster: clickHouse.cluster }
  }),
)

const Signals = Layer.effect(
  RemoteSignals,
  Effect.gen(function* () {
    const { clickHouse } = yield* ServerConfig
    const client = yield* OperatorClickHouse
    return clickHouse === undefined || client === undefined
      ? undefined
      : yield* clickHouseSignals(client, clickHouse)
  }),
)

const Days = Layer.effect(
  EventArchiveDays,
  Effect.map(ServerConfig, ({ clickHouse }) => clickHouse?.eventArchiveDays),
)

/** The signals that are kept in ClickHouse. */
export const SignalsElsewhere = Layer.provideMerge(Signals, Client)

/** What is kept in ClickHouse. */
export const ClickHouseLayer = Layer.merge(Days, SignalsElsewhere)
