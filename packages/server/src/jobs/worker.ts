// Works off one queue for as long as its scope is open: claims what is due, keeps the lease alive while
// the work runs, and drops work whose lease was lost. At least once: work may be killed at any
// moment and is claimed again when its lease is over. Closing the scope puts what is held back in the
// queue, so that another process continues at once; work that sends requests may finish those it has begun.
import { Cause, Clock, Deferred, type Duration, Effect, FiberSet, type Scope } from "effect"
import type { DatabaseError } from "../database/database-error.ts"
import { type Claim, heartbeatSeconds, leaseSeconds, leaseShareMax, type Queue } from "./queue.ts"
import type { JobStore } from "./store.ts"
import { JobWakes } from "./wakes.ts"

/** How long work put there by another process, or a lost worker's, may go unnoticed. */
const pollInterval = "500 millis"

/** For requests to receivers that are under way when the process ends. */ // spec 1.2.7
export const requestsEndWithin = "10 seconds"

/** Done as soon as the process is to end: work that has `closesWithin` begins nothing more then. */
export type Closing = Deferred.Deferred<void>

export const isClosing = (closing: Closing): boolean => Deferred.isDoneUnsafe(closing)

/** `Claimed`: a claim with what the room reads along with it. */
export interface Work<Claimed extends Claim = Claim> {
  readonly queue: Queue
  readonly jobs: Pick<JobStore, "claimLost" | "release" | "renew" | "requeueLost">
  /** Rows one process works at at the same time. */
  readonly atOnce: number
  /** How long work may take to end by itself when the scope closes. Default: no time, it is interrupted. */
  readonly closesWithin?: Duration.Input
  /** The queue's claim, with the condition of its room. It may give fewer: it is asked until it gives none. */
  claim(limit: number): Effect.Effect<ReadonlyArray<Claimed>, DatabaseError>
  /**
   * Does the work and writes its outcome under the claim. It is interrupted when the lease is lost, so
   * what it has not written by then it never writes.
   */
  perform(claim: Claimed, closing: Closing): Effect.Effect<void, unknown>
  /** Writes that an attempt ended in a way `perform` did not foresee: another one, or the end. */
  fail(claim: Claim, reason: "lost" | "unexpected"): Effect.Effect<void, unknown>
}

/** Forks the worker into the scope. */
export const work = <Claimed extends Claim>({
  atOnce,
  closesWithin,
  jobs,
  queue,
  ...room
}: Work<Claimed>): Effect.Effect<void, never, JobWakes | Scope.Scope> =>
  Effect.gen(function* () {
    const wakes = yield* JobWakes
    const closing = yield* Deferred.make<void>()
    const inWork = yield* FiberSet.make<void>()
    if (closesWithin !== undefined) {
      const ended = Effect.interruptible(FiberSet.awaitEmpty(inWork))
      yield* Effect.addFinalizer(() =>
        Effect.andThen(
          Deferred.succeed(closing, undefined),
          Effect.timeoutOption(ended, closesWithin),
        ),
      )
    }

    const said = (words: string) => `${queue.table}: ${words}`

    const perform = (claim: Claimed) =>
      Effect.raceFirst(room.perform(claim, closing), untilLost(jobs, claim)).pipe(
        Effect.onInterrupt(() => Effect.ignore(jobs.release(claim))),
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterrupts(cause),
          (cause) =>
            Effect.logError(said("attempt failed"), cause).pipe(
              Effect.andThen(room.fail(claim, "unexpected")),
            ),
        ),
        Effect.catchCause((cause) => Effect.logError(said("outcome not written"), cause)),
      )

    const giveUp = (claim: Claim) =>
      Effect.catchCause(room.fail(claim, "lost"), (cause) =>
        Effect.logError(said("lost work not given up"), cause),
      )

    /** True when there may be more. */
    const look = Effect.gen(function* () {
      yield* jobs.requeueLost
      yield* Effect.forEach(yield* jobs.claimLost(atOnce), giveUp, { discard: true })
      const free = atOnce - (yield* FiberSet.size(inWork))
      if (free === 0) return false
      // A claim that is not followed by its work would be lost for the length of a lease.
      const claims = yield* Effect.uninterruptible(
        room
          .claim(free)
          .pipe(
            Effect.tap((claimed) =>
              Effect.forEach(
                claimed,
                (claim) =>
                  FiberSet.run(
                    inWork,
                    Effect.andThen(Effect.interruptible(perform(claim)), wakes.wake(queue)),
                  ),
                { discard: true },
              ),
            ),
          ),
      )
      return claims.length > 0
    })

    yield* look.pipe(
      Effect.repeat({ while: (mayBeMore) => mayBeMore }),
      Effect.catchCause((cause) => Effect.logError(said("looking failed"), cause)),
      Effect.andThen(Effect.timeoutOption(wakes.next(queue), pollInterval)),
      Effect.forever,
      Effect.forkScoped,
    )
  })

/**
 * Renews the lease for as long as it can, and returns when it is lost: when it is someone else's, or when
 * the database did not answer, or this process slept, for so long that it may be. Time passes by the clock
 * of this process, which alone knows how long it was asleep itself; a response that does not arrive counts as none.
 */
const untilLost = (jobs: Work["jobs"], claim: Claim): Effect.Effect<void> =>
  Effect.gen(function* () {
    let renewedAt = yield* Clock.currentTimeMillis
    for (;;) {
      yield* Effect.sleep(`${heartbeatSeconds} seconds`)
      const at = yield* Clock.currentTimeMillis
      const leftMs = renewedAt + leaseSeconds * leaseShareMax * 1000 - at
      if (leftMs <= 0) break
      const isHeld = yield* jobs.renew(claim).pipe(
        Effect.timeoutOrElse({ duration: leftMs, orElse: () => Effect.succeed(undefined) }),
        Effect.catchCause(() => Effect.succeed(undefined)),
      )
      if (isHeld === true) renewedAt = at
      if (isHeld === false) break
    }
    yield* Effect.logWarning("lease lost", { id: claim.id, claim: claim.claim })
  })
