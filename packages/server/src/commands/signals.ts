// `footfall-server signals copy`: moves imported signals to ClickHouse or back to Postgres.
import { Effect } from "effect"
import { SignalCopies, type SignalStoreName } from "../topics/signals/copy/signal-copies.ts"
import { Output } from "./output.ts"

const names = { clickhouse: "ClickHouse", postgres: "Postgres" }

const figure = (count: number) => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",")

export const copySignals = Effect.fn("signals copy")(function* (to: SignalStoreName) {
  const copies = yield* SignalCopies
  const output = yield* Output
  const { dates, signals } = yield* copies.copyAll(to, ({ date, organizationId, signals }) =>
    output.note(`${date}  ${figure(signals)} signals of organization ${organizationId}\n`),
  )
  yield* output.result(
    { to, dates, signals },
    dates === 0
      ? `All imported signals are already in ${names[to]}.`
      : `Copied ${figure(dates)} ${dates === 1 ? "date" : "dates"} with ${figure(signals)} signals to ${names[to]}. SIGNAL_STORE decides where new dates are stored.`,
  )
})
