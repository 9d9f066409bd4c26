// Sends the batches of a delivery one after the other, each acknowledged before the next one leaves: a crash
// repeats at most one. The next batch is read while one is being sent.
import { Clock, Effect, Fiber } from "effect"
import type { Target } from "../../destinations/targets/target.ts"
import type { Claim } from "../../jobs/queue.ts"
import { sendBatch } from "../sending/batch.ts"
import { BatchProgress } from "../sending/batch-progress.ts"
import type { Halt } from "../sending/outcome.ts"
import type { PlannedContact, PresentContact } from "../sending/planned-contact.ts"
import type { Acknowledgement, DeliveryWork } from "./delivery-work.ts"
import type { Route } from "./route.ts"
import type { Standing } from "./standing.ts"
import type { DeliveryWorkStore } from "./store.ts"
import { eventSource } from "./sync-events.ts"

/** What was read before that is read again: somebody may have been suppressed or erased since. */
const readAheadMsMax = 5_000
/** For writing down what a batch came to when the work is ended from outside. */
const lastWordsMsMax = 2_000

export interface Under {
  readonly claim: Claim
  readonly route: Route
  /** The destination as it is now. */
  readonly look: Effect.Effect<Target>
  readonly standingOf: (target: Target, mayDeliver: boolean) => Standing
}

/** Why no batch follows, and the delivery as it was acknowledged. */
export interface BatchesEnded {
  readonly work: DeliveryWork
  readonly target: Target
  readonly because: Halt | Exclude<Standing, "go"> | "all-settled"
}

interface ReadAhead {
  readonly index: number
  readonly at: number
  readonly fiber: Fiber.Fiber<ReadonlyArray<PlannedContact>>
}

export const sendBatches = Effect.fnUntraced(function* (
  store: DeliveryWorkStore["Service"],
  { claim, look, route, standingOf }: Under,
  first: DeliveryWork,
  firstTarget: Target,
) {
  let work = first
  let target = firstTarget
  let ahead: ReadAhead | undefined

  const read = (batchIndex: number) => store.batch({ ...work, batchIndex })
  const readAhead = Effect.fnUntraced(function* (index: number) {
    return {
      index,
      at: yield* Clock.currentTimeMillis,
      fiber: yield* Effect.forkChild(read(index)),
    }
  })
  const contactsOf = Effect.fnUntraced(function* (index: number) {
    const now = yield* Clock.currentTimeMillis
    const isFresh = ahead?.index === index && now - ahead.at <= readAheadMsMax
    return yield* isFresh ? Fiber.join(ahead!.fiber) : read(index)
  })

  // It is planned, so it has a count.
  while (work.batchIndex < work.batchCount!) {
    const { batchIndex } = work
    const contacts = yield* contactsOf(batchIndex)
    ahead = batchIndex + 1 < work.batchCount! ? yield* readAhead(batchIndex + 1) : undefined
    const progress = new BatchProgress(contacts, work.streak)
    const sendable = chosen(contacts, progress, route, target)
    const channel = route.channel(target, eventSource(work, target), work.eventAt!)
    const present = work
    const acknowledge = Effect.suspend(() =>
      store.acknowledge(claim, present, route.contentHash, acknowledgement(present, progress)),
    )
    yield* sendBatch(sendable, channel, progress).pipe(
      Effect.onInterrupt(() =>
        progress.hasNews
          ? Effect.ignore(Effect.timeoutOption(acknowledge, lastWordsMsMax))
          : Effect.void,
      ),
    )
    // One wait for both. Who changes the destination just now finds the next batch begun.
    const [acknowledged, looked] = yield* Effect.all([acknowledge, look], { concurrency: 2 })
    const { mayDeliver, ...progressed } = acknowledged
    work = { ...work, ...progressed }
    target = looked
    const standing = standingOf(target, mayDeliver)
    if (progress.halt !== undefined) return { work, target, because: progress.halt }
    if (standing !== "go") return { work, target, because: standing }
  }
  return { work, target, because: "all-settled" as const } satisfies BatchesEnded
})

/** Who is sent; everybody else is skipped. decisions.md 2.16. */
const chosen = (
  contacts: ReadonlyArray<PlannedContact>,
  progress: BatchProgress,
  route: Route,
  target: Target,
): ReadonlyArray<PresentContact> =>
  contacts.filter((contact): contact is PresentContact => {
    const { isSuppressed, row } = contact
    const isSent = row !== undefined && !isSuppressed && route.takes(row, target)
    if (!isSent) progress.skip(contact)
    return isSent
  })

const acknowledgement = (
  { acknowledgements, batchIndex }: DeliveryWork,
  progress: BatchProgress,
): Acknowledgement => {
  const { failed, failedSinceSent, lastError, open, sent, skipped, streak } = progress
  const attempts = new Map([...open].map(([{ place }, made]) => [place, made] as const))
  return {
    batchIndex,
    acknowledgements,
    sent,
    skipped,
    failed,
    attempts,
    failedSinceSent,
    lastError,
    streak,
  }
}
