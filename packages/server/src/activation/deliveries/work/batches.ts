// Sends a delivery's batches one after another. While one is being sent, the results of the previous one are stored and
// the next one is read. At most a hundred contacts are started but not stored, which limits what is repeated after a
// crash (acknowledging.ts).
import { Clock, Effect, Fiber, type Scope } from "effect"
import type { Target } from "../../destinations/targets/target.ts"
import type { Claim } from "../../../platform/jobs/queue.ts"
import { type Closing, isClosing } from "../../../platform/jobs/worker.ts"
import type { Promptness } from "../../../platform/outbound/promptness.ts"
import type { PresentContact } from "../plan.ts"
import { sendBatch } from "../sending/batch.ts"
import { BatchProgress } from "../sending/batch-progress.ts"
import type { Halt } from "../sending/outcome.ts"
import type { Route } from "../sending/route.ts"
import { isSendable, readAheadMsMax, type ReadBatch, stillSendable } from "../sending/sendable.ts"
import type { DeliveryStore } from "../store.ts"
import { acknowledging } from "./acknowledging.ts"
import { type DeliveryState, type DeliveryWork, eventSource } from "../delivery-work.ts"

/** Maximum age of a check, because the destination may have been paused since. */
const lookMsMax = 250

/** When this many contacts are left, the destination is read again, so that it is known once the last one settles. */
const lastContacts = 40

/** The destination as of now, and whether the organization may deliver. */
export interface DestinationCheck {
  readonly target: Target
  readonly standing: DeliveryState
}

export interface BatchContext {
  readonly claim: Claim
  readonly closing: Closing
  /** Completes when the delivery has to leave its place: the process closes, or others are waiting. */
  readonly leaving: Closing
  readonly route: Route
  readonly promptness: Promptness
  readonly look: Effect.Effect<DestinationCheck>
}

/** Why no batch follows, and the delivery as acknowledged. */
export interface BatchesEnded {
  readonly work: DeliveryWork
  readonly target: Target
  readonly because: Halt | Exclude<DeliveryState, "go"> | "all-settled" | "turn-over"
}

/** Work started early for batch `index`. */
interface Early<A> {
  readonly index: number
  readonly at: number
  readonly fiber: Fiber.Fiber<A>
}

/** Returns what was started early, or does it now if that is for another batch or too old. */
const reuseIfFresh = Effect.fnUntraced(function* <A>(
  early: Early<A> | undefined,
  { effect, index, msMax }: { effect: Effect.Effect<A>; index: number; msMax: number },
) {
  const now = yield* Clock.currentTimeMillis
  const isFresh = early?.index === index && now - early.at <= msMax
  return yield* isFresh ? Fiber.join(early.fiber) : effect
})

const begin = Effect.fnUntraced(function* <A>(
  scope: Scope.Scope,
  index: number,
  effect: Effect.Effect<A>,
) {
  const fiber = yield* Effect.forkIn(effect, scope)
  return { index, at: yield* Clock.currentTimeMillis, fiber } satisfies Early<A>
})

export const sendBatches = Effect.fnUntraced(function* (
  store: DeliveryStore["Service"],
  { claim, closing, leaving, look, promptness, route }: BatchContext,
  first: DeliveryWork,
  firstTarget: Target,
) {
  const scope = yield* Effect.scope
  const acknowledged = yield* acknowledging(store, claim, first)
  // a planned delivery has a count
  const batchCount = first.batchCount!
  let target = firstTarget
  const { listId } = route.holding
  const knownTo = listId === null ? undefined : { destinationId: first.destinationId, listId }
  let { streak } = first
  let before: Fiber.Fiber<void> | undefined
  let readEarly: Early<ReadBatch> | undefined

  const read = Effect.fnUntraced(function* (batchIndex: number) {
    const at = yield* Clock.currentTimeMillis
    return {
      at,
      contacts: yield* store.batch({ ...first, batchIndex, knownTo }),
    } satisfies ReadBatch
  })

  /** The time of all events in a batch, on every attempt. Stored when the batch two before it was complete. */
  const eventAt = (index: number): string => {
    const work = acknowledged.work()
    return index === work.batchIndex ? work.eventAt! : work.nextEventAt!
  }

  /** Returns why no further batch follows; undefined if one does. */
  const sendOne = Effect.fnUntraced(function* (index: number) {
    const seen = yield* reuseIfFresh(readEarly, {
      index,
      effect: read(index),
      msMax: readAheadMsMax,
    })
    if (index + 1 < batchCount) readEarly = yield* begin(scope, index + 1, read(index + 1))
    const progress = new BatchProgress(seen.contacts, streak)
    const takes = isSendable(route, target)
    const sendable = chosen(seen, progress, takes)
    const channel = route.channel(target, eventSource(first, target), eventAt(index))
    let lookEarly: Early<DestinationCheck> | undefined
    const lookNow = Effect.map(begin(scope, index, look), (early) => void (lookEarly = early))
    const written = yield* acknowledged.settle({ index, progress }, ({ settled, stumbled }) =>
      sendBatch(sendable, channel, progress, {
        leaving,
        promptness,
        window: acknowledged.window,
        mayBeSent: stillSendable(seen, read(index), takes),
        stumbled,
        settled: () => {
          const then = settled()
          const isNearEnd = lookEarly === undefined && progress.open.size <= lastContacts
          if (!isNearEnd) return then
          return then === undefined ? lookNow : Effect.andThen(lookNow, then)
        },
      }),
    )
    streak = progress.streak
    // By then the next batch's events have their time.
    if (before !== undefined) yield* Fiber.await(before)
    before = written
    if (progress.halt !== undefined) return progress.halt
    if (isClosing(closing)) return "pause"
    const looked = yield* reuseIfFresh(lookEarly, { index, effect: look, msMax: lookMsMax })
    target = looked.target
    if (looked.standing !== "go") return looked.standing
    const isDone = progress.isWhole && index + 1 === batchCount
    return isClosing(leaving) && !isDone ? "turn-over" : undefined
  })

  const sendAll = Effect.gen(function* () {
    let because: BatchesEnded["because"] = "all-settled"
    for (let index = first.batchIndex; index < batchCount; index++) {
      const end = yield* sendOne(index)
      if (end === undefined) continue
      because = end
      break
    }
    if (before !== undefined) yield* Fiber.await(before)
    return because
  }).pipe(Effect.onInterrupt(() => acknowledged.interrupted))

  const because = yield* Effect.raceFirst(sendAll, acknowledged.broken)
  return { work: acknowledged.work(), target, because } satisfies BatchesEnded
}, Effect.scoped)

/** Which contacts are sent; everyone else is skipped. spec 2.16. */
const chosen = (
  { contacts }: ReadBatch,
  progress: BatchProgress,
  takes: ReturnType<typeof isSendable>,
): ReadonlyArray<PresentContact> =>
  contacts.filter((contact): contact is PresentContact => {
    const isSent = takes(contact)
    if (!isSent) progress.skip(contact)
    return isSent
  })
