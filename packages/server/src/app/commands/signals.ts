// `footfall-server signals copy`: moves imported signals to ClickHouse or back to Postgres.
import { Effect } from "effect"
import { SignalCopies } from "../../intent/signals/copy/signal-copies.ts"
import type { SignalStoreName } from "../../intent/signals/copy/signal-stores.ts"
import { Output } from "./output.ts"

const names = { clickhouse: "ClickHouse", postgres: "Postgres" }

export const copySignals = Effect.fn("signals copy")(function* (to: SignalStoreName) {
  const copies = yield* SignalCopies
  const output = yield* Output
  const { format } = new Intl.NumberFormat("en")
  const { dates, signals } = yield* copies.copyAll(to, ({ date, organizationId, signals }) =>
    output.note(`${date}  ${format(signals)} signals of organization ${organizationId}\n`),
  )
  yield* output.result(
    { to, dates, signals },
    dates === 0
      ? `All imported signals are already in ${names[to]}.`
      : `Moved ${format(dates)} ${dates === 1 ? "date" : "dates"} with ${format(signals)} signals to ${names[to]}. SIGNAL_STORE decides where new dates are stored.`,
  )
})
