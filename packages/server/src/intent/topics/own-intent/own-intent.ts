// Own intent: once a day, the page views of identified people become signals, by the topic rules of the pixels that
// saw them (spec 2.18). It processes the day that ended, with the current rules. When rules change, the last 30
// days are recomputed (spec 19.3). Signals stay after the last rule is removed, because they describe a past day.
import { Context, Effect, Layer, Option, Ref } from "effect"
import { inTurns } from "../in-turns.ts"
import type { Signal } from "../../signals/store.ts"
import { Signals } from "../../signals/signals.ts"
import { type AddressMatch, type OwnIntentTask, OwnIntentStore } from "./store.ts"
import { fittingRules, scoreOf } from "./topic-rule.ts"
import { every } from "../../../platform/jobs/every.ts"

const make = Effect.gen(function* () {
  const store = yield* OwnIntentStore
  const signals = yield* Signals

  const signalsOf = Effect.fnUntraced(function* (task: OwnIntentTask) {
    const pixels = yield* store.ruledPixels(task.organizationId)
    const pixelOf = new Map(pixels.map((pixel) => [pixel.pixelId, pixel]))
    yield* store.walkAddresses(task, [...pixelOf.keys()])
    let found = 0
    for (;;) {
      const addresses = yield* store.nextAddresses
      if (addresses.length === 0) break
      const matches: Array<AddressMatch> = []
      yield* inTurns(addresses, (address) => {
        const pixel = pixelOf.get(address.pixelId)!
        const rules = fittingRules(pixel, address.url)
        if (rules.length === 0) return
        const topicIds = rules.map((place) => pixel.topicRules[place]!.topicId)
        matches.push({ ...address, id: found++, rules, topicIds })
      })
      if (matches.length > 0) yield* store.keepMatches(matches)
    }
    const views = yield* store.views(task)
    return views.map(({ emailHash, topicId, views: count }): Signal => ({
      topicId,
      emailHash,
      score: scoreOf(count),
    }))
  })

  const countDay = Effect.fnUntraced(function* (task: OwnIntentTask) {
    const { date, organizationId } = task
    const counted = yield* signalsOf(task)
    // Waits for a running erasure of the signals and leaves out erased people. A later erasure finds these signals.
    // So it does not need the organization's turn, which it would hold for as long as a whole day takes.
    yield* signals.replaceDay({ organizationId, origin: "pixel", date, signals: counted })
    yield* store.finish(task)
  })

  /** False if there was nothing to do. */
  const runNext = Effect.gen(function* () {
    const taken = yield* Ref.make(Option.none<OwnIntentTask>())
    const worked = store.transaction(
      Effect.gen(function* () {
        const task = yield* store.takeTask
        yield* Ref.set(taken, task)
        if (Option.isSome(task)) yield* countDay(task.value)
      }),
    )
    yield* Effect.catchCause(worked, (cause) =>
      Effect.gen(function* () {
        const task = yield* Ref.get(taken)
        if (Option.isNone(task)) return yield* Effect.failCause(cause)
        yield* Effect.logError("own intent not counted", task.value, cause)
        yield* store.postpone(task.value)
      }),
    )
    return Option.isSome(yield* Ref.get(taken))
  })

  return {
    /**
     * Processes what is due: the day that ended, up to 6 earlier unprocessed days, and the last 30 days of
     * organizations whose rules changed.
     *
     * *Errors*: DatabaseError if the due tasks can't be read; a failed task is logged and retried after 10 minutes.
     * *Guarantee*: each organization and day once, atomically, with any number of processes.
     */
    runDue: Effect.gen(function* () {
      yield* store.noteDays
      yield* Effect.catchCause(store.noteRequests, (cause) =>
        Effect.logWarning("own intent is counted later", cause),
      )
      yield* Effect.repeat(Effect.uninterruptible(runNext), {
        while: (hasWorked) => hasWorked,
      })
    }).pipe(Effect.withSpan("OwnIntent.runDue")),
  }
})

export class OwnIntent extends Context.Service<OwnIntent, Effect.Success<typeof make>>()(
  "@footfall/server/topics/OwnIntent",
) {
  static readonly layer = Layer.effect(OwnIntent, make)
}

/** Checks every 5 seconds whether a day has ended or rules have changed. */
export const OwnIntentWorker = Layer.effectDiscard(
  every(
    "5 seconds",
    "own intent not counted",
    Effect.flatMap(OwnIntent, ({ runDue }) => runDue),
  ),
)
