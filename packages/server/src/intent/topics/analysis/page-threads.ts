// Reads pages outside the event loop, because strangers choose them. A page that keeps its thread for too long, or needs
// too much memory, ends that thread and nothing else (spec 1.9.9).
import { Context, Effect, Exit, Layer } from "effect"
import { Worker } from "node:worker_threads"
import { makePartyTurns } from "../../../platform/jobs/fair-turns.ts"
import type { FetchedPage, PageReading } from "./page-reading.ts"
import { SitesBusy, SiteUnreadable } from "./site-analysis.ts"

/** Each takes up to one processor. A caller never has more than half of them. */
const threadsMax = 2

/** How long a page waits for a thread. */
const turnWait = "10 seconds"

/** The processor time that a page may take. The slowest pages of 2 MiB take less than a second. Units: milliseconds. */
export const PageTimeMax = Context.Reference<number>("@footfall/server/topics/PageTimeMax", {
  defaultValue: () => 3_000,
})
/** How often the time is compared. */
const lookInterval = "50 millis"

/** The file next to this one, in TypeScript or as built. */
const workerUrl = new URL(
  `./page-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
)

const start = Effect.suspend(() => {
  const worker = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: 256 } })
  worker.unref()
  // Without a listener, an error of an idle thread would end the server.
  worker.on("error", () => undefined)
  return Effect.as(Effect.orDie(messageOf<"ready">(worker)), worker)
})

/** The next message. Fails if the thread ends instead. */
const messageOf = <A>(worker: Worker) =>
  Effect.callback<A, unknown>((resume) => {
    const end = (result: Effect.Effect<A, unknown>) => {
      worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd)
      resume(result)
    }
    const onMessage = (message: A) => end(Effect.succeed(message))
    const onEnd = (reason: unknown) => end(Effect.fail(reason))
    worker.once("message", onMessage).once("error", onEnd).once("exit", onEnd)
  })

const ask = (worker: Worker, page: FetchedPage) =>
  Effect.suspend(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(page)
    return Effect.mapError(messageOf<PageReading | undefined>(worker), () => tooSlow)
  })

const tooSlow = new SiteUnreadable({ reason: "timeout" })

/** Node 22 only knows how long a thread was busy, which is longer on a busy machine. */
const hasProcessorTime = "cpuUsage" in Worker.prototype

/** Of the thread until now. Units: milliseconds. */
const timeOf = (worker: Worker): Effect.Effect<number> =>
  hasProcessorTime
    ? Effect.promise(async () => {
        // Rejects if the thread has ended, which `ask` reports.
        const { system, user } = await worker.cpuUsage().catch(() => ({ system: 0, user: 0 }))
        return (system + user) / 1_000
      })
    : Effect.sync(() => worker.performance.eventLoopUtilization().active)

/** Fails when the thread has taken too long. Never succeeds. */
const deadline = Effect.fnUntraced(function* (worker: Worker, timeMax: number) {
  const before = yield* timeOf(worker)
  while ((yield* timeOf(worker)) - before <= timeMax) yield* Effect.sleep(lookInterval)
  return yield* tooSlow
})

const make = Effect.gen(function* () {
  const timeMax = yield* PageTimeMax
  const idle: Array<Worker> = []
  const turns = yield* makePartyTurns({
    turns: threadsMax,
    turnsOfOne: threadsMax / 2,
    // Each holds its page, of up to 2 MiB.
    waitingMax: { ofOne: 5, ofAll: 50 },
    wait: turnWait,
    busy: () => new SitesBusy(),
  })
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => Promise.all(idle.map((worker) => worker.terminate()))),
  )
  const forgetWhenEnded = (worker: Worker) =>
    Effect.sync(() => {
      worker.once("exit", () => {
        const place = idle.indexOf(worker)
        if (place !== -1) idle.splice(place, 1)
      })
    })
  const take = Effect.suspend(() => {
    const worker = idle.pop()
    return worker === undefined ? Effect.tap(start, forgetWhenEnded) : Effect.succeed(worker)
  })
  const giveBack = (worker: Worker, exit: Exit.Exit<unknown, unknown>) =>
    Exit.isSuccess(exit)
      ? Effect.sync(() => void idle.push(worker))
      : Effect.promise(() => worker.terminate())

  return {
    /**
     * `reader`: the requesting organization, or a word for callers without one.
     *
     * *Errors*: SiteUnreadable if the page has no text or takes too long; SitesBusy after 10 seconds without a thread.
     */
    read: Effect.fn("PageThreads.read")(function* (
      reader: string,
      page: FetchedPage,
    ): Effect.fn.Return<PageReading, SiteUnreadable | SitesBusy> {
      const reading = yield* turns.run(
        reader,
        Effect.acquireUseRelease(
          take,
          (worker) => Effect.raceFirst(ask(worker, page), deadline(worker, timeMax)),
          giveBack,
        ),
      )
      return reading ?? (yield* new SiteUnreadable({ reason: "empty" }))
    }),
  }
})

export class PageThreads extends Context.Service<PageThreads, Effect.Success<typeof make>>()(
  "@footfall/server/topics/PageThreads",
) {
  static readonly layer = Layer.effect(PageThreads, make)
}
