// Starting fills the heap's young generation, and V8 keeps that size while the server is idle. A full collection
// returns it, but stops the event loop and discards compiled code, so it waits for the first quiet second. The compiled
// code is written to its cache first (bin/footfall-server.js).
import { Duration, Effect } from "effect"
import { flushCompileCache } from "node:module"
import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** After the ready line and the first requests that waited for it. */
const afterStart = Duration.seconds(4)

const lookEvery = Duration.seconds(1)

/** The server counts as idle if the event loop works less than this share of a second. */
const quietShare = 0.25

type Collect = (options: {
  readonly type: "major"
  readonly execution: "sync"
  readonly flavor: "last-resort"
}) => void

/** The share of the time since the last call in which the event loop had work. */
const loopShare = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const before = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, before).utilization
  }
}

/** Waits for a second in which the share is below that limit. */
export const quietSecond = (share: () => number): Effect.Effect<void> =>
  Effect.sync(share).pipe(
    Effect.delay(lookEvery),
    Effect.repeat({ until: (busy) => busy < quietShare }),
    Effect.asVoid,
  )

const collect = Effect.sync(() => {
  flushCompileCache()
  setFlagsFromString("--expose-gc")
  const gc: Collect = runInNewContext("gc")
  gc({ type: "major", execution: "sync", flavor: "last-resort" })
})

/**
 * Waits for a quiet second, writes the compiled code, collects garbage once, and ends. Only for the command; an
 * application that embeds the server manages its own memory.
 */
export const giveBackMemory: Effect.Effect<void> = Effect.sync(loopShare).pipe(
  Effect.delay(afterStart),
  Effect.flatMap(quietSecond),
  Effect.andThen(collect),
)
