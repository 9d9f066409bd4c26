// Starting fills the heap's young generation to its limit, and V8 keeps that size while the server is idle: 60 MiB of
// 180. One full collection after the start returns it and takes about a tenth of a second. The compiled code is written
// to its cache first (bin/footfall-server.js), because a server that is killed never would, and the collection discards
// some of it.
import { Duration, Effect } from "effect"
import { flushCompileCache } from "node:module"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** After the ready line and the first requests that waited for it. */
const afterStart = Duration.seconds(5)

type Collect = (options: {
  readonly type: "major"
  readonly execution: "sync"
  readonly flavor: "last-resort"
}) => void

/**
 * Waits, writes the compiled code, collects garbage once, and ends. Only for the command; an application that embeds the
 * server manages its own memory.
 */
export const giveBackMemory: Effect.Effect<void> = Effect.delay(
  Effect.sync(() => {
    flushCompileCache()
    setFlagsFromString("--expose-gc")
    const collect: Collect = runInNewContext("gc")
    collect({ type: "major", execution: "sync", flavor: "last-resort" })
  }),
  afterStart,
)
