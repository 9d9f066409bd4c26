// Metrics of the queues and the database. If the database does not respond, `footfall_database_up` is 0 and the other
// values stay as they were.
import { Context, Effect, Metric } from "effect"
import { type MeasuredQueue, MetricsStore, type QueueDepth, receiverKinds } from "./store.ts"

/** The rooms' queues, by their names in metrics. Default: none. */
export const MeasuredQueues = Context.Reference<Readonly<Record<string, MeasuredQueue>>>(
  "@footfall/server/metrics/MeasuredQueues",
  { defaultValue: () => ({}) },
)

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const depth = gauge("footfall_queue_depth", "Jobs of a queue, by state: waiting, delayed, working")
const lag = gauge("footfall_queue_lag_seconds", "How long the longest waiting job has been due")
const up = gauge("footfall_database_up", "Whether the database is responding: 1 or 0")
const connections = gauge("footfall_database_connections", "Connections of this server, by state")
const size = gauge("footfall_database_size_bytes", "Size of the database")

const receivers = gauge(
  "footfall_receivers",
  "Webhooks, destinations and connected accounts, by state: working, failing, stopped",
)

const timeLimit = "2 seconds"

/** Reads and sets all metrics; never fails. */
export const makeDatabaseMetrics = Effect.gen(function* () {
  const store = yield* MetricsStore
  const queues = Object.entries(yield* MeasuredQueues)
  const read = Effect.all({
    queues: Effect.all([store.inbox, ...queues.map(([name, queue]) => store.queue(name, queue))]),
    receivers: store.receivers,
    use: store.use,
  }).pipe(Effect.timeout(timeLimit), Effect.option)

  return Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const found = yield* read
    up.updateUnsafe(found._tag === "Some" ? 1 : 0, context)
    if (found._tag === "None") return
    for (const queue of found.value.queues) setQueue(queue, context)
    for (const kind of receiverKinds) {
      for (const state of ["working", "failing", "stopped"] as const) {
        const row = found.value.receivers.find((each) => each.kind === kind && each.state === state)
        Metric.withAttributes(receivers, { kind, state }).updateUnsafe(row?.count ?? 0, context)
      }
    }
    const { active, bytes, idle, idleInTransaction } = found.value.use
    const states = { active, idle, idle_in_transaction: idleInTransaction }
    for (const [state, count] of Object.entries(states)) {
      Metric.withAttributes(connections, { state }).updateUnsafe(count, context)
    }
    size.updateUnsafe(bytes, context)
  })
})

const setQueue = (
  { delayed, lagSeconds, name: queue, waiting, working }: QueueDepth,
  context: Context.Context<never>,
): void => {
  for (const [state, count] of Object.entries({ waiting, delayed, working })) {
    Metric.withAttributes(depth, { queue, state }).updateUnsafe(count, context)
  }
  Metric.withAttributes(lag, { queue }).updateUnsafe(lagSeconds, context)
}
