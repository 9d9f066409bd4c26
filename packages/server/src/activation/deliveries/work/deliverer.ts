// Performs a claimed delivery (spec 4.4, 8.3, 8.4): selects the contacts once, sends the started event, sends batch
// after batch, sends the completed event, and records the result. If it is killed at any time, it is claimed again and
// resumes at its batch with the same ids.
import { Clock, Context, Data, Deferred, Effect, Layer } from "effect"
import type { Target } from "../../destinations/targets/target.ts"
import { Targets } from "../../destinations/targets/targets.ts"
import { every } from "../../../platform/jobs/every.ts"
import { makePartyTurns, PartyOf } from "../../../platform/jobs/fair-turns.ts"
import type { Claim, ClaimLost } from "../../../platform/jobs/queue.ts"
import { type Closing, isClosing } from "../../../platform/jobs/worker.ts"
import { placesOfSlow, Promptness } from "../../../platform/outbound/promptness.ts"
import type { DeliveryError } from "../delivery.ts"
import { consecutiveErrors, streakMax } from "../sending/batch-progress.ts"
import { type Halt, haltOf } from "../sending/outcome.ts"
import { makeRoutes, type Route } from "../sending/route.ts"
import { DeliveryStore } from "../store.ts"
import { type BatchesEnded, sendBatches } from "./batches.ts"
import { sendRemovals } from "./removing.ts"
import { cancelled, type DeliveryWork, type Ending, type DeliveryState } from "../delivery-work.ts"
import { makeSyncEvents, subscribes } from "./sync-events.ts"

/** An unforeseen error; the log has the cause. */
const unexpected: DeliveryError = {
  code: "INTERNAL_ERROR",
  message: "The delivery stopped unexpectedly.",
}

const completed: Ending = { status: "completed", error: undefined, needsAttention: false }
const allFailed: Ending = {
  status: "failed",
  error: { code: "ALL_CONTACTS_FAILED", message: "Every contact failed." },
  needsAttention: false,
}
const failedFor = (error: DeliveryError): Ending => ({
  status: "failed",
  error,
  needsAttention: true,
})

/**
 * How many deliveries a process works on, how long each keeps its place while others wait, and how often the process
 * looks whether others wait. Deliveries mostly wait for an endpoint, so there are many places.
 */
export const DeliveryPlaces = Context.Reference("@footfall/server/deliveries/DeliveryPlaces", {
  defaultValue: () => ({ places: 60, turnMs: 3_000, lookMs: 1_000 }),
})

/** Destinations whose promptness is remembered; those used longest ago are forgotten first. */
const rememberedMax = 1_000

/** A delivery in progress. */
interface InHand {
  readonly claim: Claim
  readonly party: string
  /** When it got its place. Epoch milliseconds. */
  readonly since: number
  /** Completes when it has to leave its place. */
  readonly leaving: Closing
  /** Of its destination. Undefined before it is read. */
  promptness: Promptness | undefined
}

const keyOf = ({ claim, id }: Pick<Claim, "claim" | "id">) => `${id} ${claim}`

class PlanningBusy extends Data.TaggedError("PlanningBusy") {}

const make = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const { lookMs, places, turnMs } = yield* DeliveryPlaces
  const partyOf = yield* PartyOf
  /** By claim. A map keeps the order of insertion. */
  const inHand = new Map<string, InHand>()
  const destinations = new Map<string, Promptness>()
  // Planning holds one of the process's few connections for its whole duration.
  const planningTurns = yield* makePartyTurns({
    turns: 2,
    turnsOfOne: 1,
    wait: "1 hour",
    busy: () => new PlanningBusy(),
  })
  const targets = yield* Targets
  const routes = yield* makeRoutes
  const events = yield* makeSyncEvents

  /** Deleted destinations keep their row. */
  const targetOf = ({ destinationId, organizationId }: DeliveryWork) =>
    Effect.map(
      store.persistently(targets.find({ organizationId, destinationId })),
      (target) => target!,
    )

  /** Undefined if it would wait too long for its turn. */
  const planned = (claim: Claim, work: DeliveryWork, { holding }: Route) =>
    planningTurns
      .run(work.organizationId, store.plan(claim, work, holding))
      .pipe(Effect.catchTag("PlanningBusy", () => Effect.succeed(undefined)))

  const leave = (claim: Claim, work: DeliveryWork, standing: Exclude<DeliveryState, "go">) =>
    standing === "pause" ? store.release(claim) : store.end(claim, work, cancelled, 0)

  const park = Effect.fnUntraced(function* (
    claim: Claim,
    work: DeliveryWork,
    error: DeliveryError,
    leastSeconds: number,
  ) {
    const { startedAttempts } = work
    const isParked = yield* store.park(claim, work, error, {
      leastSeconds,
      startedAttempts,
      completedAttempts: work.completedAttempts,
    })
    if (!isParked) yield* store.end(claim, work, failedFor(error), 0)
  })

  /** Sends the completed event if the destination subscribes to it, and records the result. spec 8.3. */
  const finish = Effect.fnUntraced(function* (
    claim: Claim,
    work: DeliveryWork,
    target: Target,
    ending: Ending,
  ) {
    const settledAt = yield* store.settle(claim)
    if (!subscribes(target, "intent.audience.sync.completed")) {
      return yield* store.end(claim, work, ending, 0)
    }
    const { attempts, outcome } = yield* events.completed(work, target, ending, settledAt)
    // It is claimed again later, with only this event left. spec 8.1.8
    if (outcome.type === "parked" && outcome.retryAfterSeconds !== null) {
      const { startedAttempts } = work
      const isParked = yield* store.park(claim, work, outcome.error, {
        leastSeconds: outcome.retryAfterSeconds,
        startedAttempts,
        completedAttempts: attempts,
      })
      if (isParked) return
    }
    const isRefusedForGood = outcome.type === "stopped"
    yield* store.end(claim, work, isRefusedForGood ? failedFor(outcome.error) : ending, attempts)
  })

  const halted = Effect.fnUntraced(function* (
    claim: Claim,
    work: DeliveryWork,
    target: Target,
    halt: Halt,
  ) {
    const { error } = halt
    if (halt.type === "parked") {
      return yield* park(claim, work, error, halt.retryAfterSeconds ?? 0)
    }
    if (error.code === "ENDPOINT_AUTH") yield* routes.suspect(work, target)
    // The endpoint does respond, so it gets the event.
    if (error.code === "CONSECUTIVE_ERRORS") {
      return yield* finish(claim, work, target, failedFor(error))
    }
    yield* store.end(claim, work, failedFor(error), 0)
  })

  /** Runs before the first contact. Returns the times of the first events; undefined if the delivery can't start. */
  const start = Effect.fnUntraced(function* (claim: Claim, work: DeliveryWork, target: Target) {
    if (work.hasStarted) return work
    const isSubscribed = subscribes(target, "intent.audience.sync.started")
    const started = isSubscribed ? yield* events.started(work, target) : undefined
    const startedAttempts = started?.attempts ?? work.startedAttempts
    if (started !== undefined && started.outcome.type !== "sent") {
      yield* halted(claim, { ...work, startedAttempts }, target, haltOf(started.outcome))
      return undefined
    }
    const times = yield* store.begin(claim, startedAttempts)
    return { ...work, ...times, startedAttempts, hasStarted: true }
  })

  const ended = (claim: Claim, { because, target, work }: BatchesEnded) => {
    if (because === "pause" || because === "cancel") return leave(claim, work, because)
    if (because === "turn-over") return store.giveWay(claim)
    if (because !== "all-settled") return halted(claim, work, target, because)
    const isNothingSent = work.sentCount === 0 && work.failedCount > 0
    return finish(claim, work, target, isNothingSent ? allFailed : completed)
  }

  const promptnessOf = (destinationId: string): Promptness => {
    const known = destinations.get(destinationId) ?? new Promptness()
    destinations.delete(destinationId)
    destinations.set(destinationId, known)
    if (destinations.size > rememberedMax) destinations.delete(destinations.keys().next().value!)
    return known
  }

  const isSlow = ({ promptness }: InHand, now: number) => promptness?.isSlow(now) !== false

  /** A party gets no more places than it leaves free, so that one without any finds one. */
  const fullParties = (held: ReadonlyArray<InHand>, free: number): ReadonlyArray<string> =>
    [...Map.groupBy(held, ({ party }) => party)].flatMap(([party, { length }]) =>
      length >= free ? [party] : [],
    )

  const claim = Effect.fnUntraced(function* (free: number) {
    const now = yield* Clock.currentTimeMillis
    const slow = [...inHand.values()].filter((one) => isSlow(one, now))
    const freeOfSlow = placesOfSlow(places) - slow.length
    const claims = yield* store.jobs.claim({
      parties: fullParties([...inHand.values()], free),
      prompt: [...destinations].flatMap(([id, promptness]) => (promptness.isSlow(now) ? [] : [id])),
      hasRoomForSlow: freeOfSlow > 0,
      partiesOfSlow: fullParties(slow, freeOfSlow),
    })
    for (const claim of claims) {
      inHand.set(keyOf(claim), {
        claim,
        party: yield* partyOf(claim.organizationId),
        since: now,
        leaving: yield* Deferred.make<void>(),
        promptness: undefined,
      })
    }
    return claims
  })

  /** Ends the turn of one delivery if no place is free and another party has fewer in progress. */
  const makeWay = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const all = [...inHand.values()]
    const slow = all.filter((one) => isSlow(one, now))
    const among = slow.length >= placesOfSlow(places) ? slow : all.length >= places ? all : []
    const claims = among.flatMap(({ claim, leaving, since }) =>
      now - since >= turnMs && !isClosing(leaving) ? [claim] : [],
    )
    if (claims.length === 0) return
    const found = yield* store.jobs.givingWay(claims)
    const one = found && inHand.get(keyOf(found))
    if (one !== undefined) yield* Deferred.succeed(one.leaving, undefined)
  })
  yield* every(`${lookMs} millis`, "could not end the turn of a delivery", makeWay)

  const deliver = Effect.fnUntraced(function* (claim: Claim, closing: Closing) {
    const loaded = yield* store.load(claim)
    const promptness = promptnessOf(loaded.destinationId)
    // A destination has one delivery at a time.
    promptness.interrupt()
    const place = inHand.get(keyOf(claim))!
    place.promptness = promptness
    const { leaving } = place
    yield* Effect.forkChild(
      Effect.andThen(Deferred.await(closing), Deferred.succeed(leaving, undefined)),
    )
    const target = yield* targetOf(loaded)
    const approvedAtFirst = target.approvedConfigHash
    const standing = loaded.isWithdrawn
      ? "cancel"
      : standingOf(target, { approvedAtFirst, mayDeliver: true })
    if (standing !== "go") return yield* leave(claim, loaded, standing)
    const route = yield* routes.open(claim, loaded, target)
    if ("type" in route) return yield* halted(claim, loaded, target, route)
    const look = Effect.map(
      Effect.all([targetOf(loaded), store.mayDeliver(loaded)], { concurrency: 2 }),
      ([target, mayDeliver]) => ({
        target,
        standing: standingOf(target, { approvedAtFirst, mayDeliver }),
      }),
    )
    const isUnplanned = loaded.batchCount === null
    const plan = isUnplanned ? yield* planned(claim, loaded, route) : undefined
    if (isUnplanned) {
      // Planning, and waiting for a turn to plan, may take minutes.
      const { standing } = plan === undefined ? { standing: "pause" as const } : yield* look
      if (standing !== "go") return yield* leave(claim, loaded, standing)
    }
    const work = { ...loaded, ...plan }
    if (work.awaitsApproval) return yield* store.awaitApproval(claim, work)
    const started = yield* start(claim, work, target)
    if (started === undefined) return
    // Another worker got this far before it was lost.
    if (started.streak.count >= streakMax) {
      return yield* halted(claim, started, target, consecutiveErrors(started.streak, null))
    }
    const under = { claim, closing, leaving, route, promptness, look }
    const sent = yield* sendBatches(store, under, started, target)
    const isLast = sent.because !== "all-settled"
    yield* ended(claim, isLast ? sent : yield* sendRemovals(store, under, sent.work, sent.target))
  })

  const unlessLost = <A>(effect: Effect.Effect<A, ClaimLost>) =>
    Effect.asVoid(
      Effect.catchTag(effect, "ClaimLost", () =>
        Effect.logInfo("another process took over the delivery"),
      ),
    )

  return {
    /** Claims one delivery for which there is a place. */
    claim,

    perform: (claim: Claim, closing: Closing): Effect.Effect<void> =>
      unlessLost(deliver(claim, closing)).pipe(
        Effect.ensuring(Effect.sync(() => inHand.delete(keyOf(claim)))),
        Effect.annotateLogs({ deliveryId: claim.id }),
        Effect.withSpan("Deliverer.perform"),
      ),

    /** Fails deliveries that were lost too often; postpones those that ended in an unforeseen way. */
    giveUp: (claim: Claim, reason: "lost" | "unexpected"): Effect.Effect<void> =>
      unlessLost(
        Effect.flatMap(store.load(claim), (work) =>
          reason === "lost"
            ? store.end(claim, work, failedFor(unexpected), 0)
            : park(claim, work, unexpected, 0),
        ),
      ),
  }
})

/**
 * Whether a delivery may continue, given its destination's current state. Checked before the first contact and after
 * every batch.
 */ // spec 4.3, 4.4
const standingOf = (
  target: Target,
  {
    approvedAtFirst,
    mayDeliver,
  }: { readonly approvedAtFirst: string | null; readonly mayDeliver: boolean },
): DeliveryState => {
  const { approvedConfigHash, isApproved, isDeleted, status } = target
  // A configuration change made it a draft, even if it has been approved again since.
  const isChanged = !isApproved || approvedConfigHash !== approvedAtFirst
  if (isDeleted || status === "draft" || isChanged) return "cancel"
  return status === "active" && mayDeliver ? "go" : "pause"
}

export class Deliverer extends Context.Service<Deliverer, Effect.Success<typeof make>>()(
  "@footfall/server/deliveries/Deliverer",
) {
  static readonly layer = Layer.effect(Deliverer, make)
}
