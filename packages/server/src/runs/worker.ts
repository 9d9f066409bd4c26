// Works off the queue of runs (spec 4.2). A process works at few runs at the same time, because each
// of them takes a connection and a processor.
import { Effect, Layer } from "effect"
import { work } from "../jobs/worker.ts"
import { Materialization } from "./materialization/materialization.ts"
import { runQueue } from "./run.ts"
import { RunStore } from "./store.ts"

const runsAtOnce = 2

export const RunWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { jobs } = yield* RunStore
    const materialization = yield* Materialization
    yield* work({
      queue: runQueue,
      jobs,
      atOnce: runsAtOnce,
      claim: (limit) => jobs.claim({ limit }),
      perform: materialization.perform,
      fail: materialization.giveUp,
    })
  }),
)
