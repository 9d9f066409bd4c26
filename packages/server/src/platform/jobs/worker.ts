// Works through one queue while its scope is open: claims due rows, renews leases while work runs, and drops work whose
// lease was lost. Runs work at least once: it can be killed at any time and is claimed again when its lease expires.
// Closing the scope returns held rows to the queue, so another process continues at once; work that sends requests may
// finish those in progress.
import { Cause, Clock, Deferred, type Duration, Effect, FiberSet, type Scope } from "effect"
import type { DatabaseError } from "../database/database-error.ts"
import {
  type Claim,
  heartbeatSeconds,
  JobWakes,
  leaseSeconds,
  leaseShareMax,
  type Queue,
} from "./queue.ts"
import type { JobStore } from "./store.ts"

/** How long work queued by another process, or held by a lost worker, may go unnoticed. */
const pollInterval = "500 millis"

/** Time for requests in progress when the process shuts down. */ // spec 1.2.7
export const requestsEndWithin = "10 seconds"

/** Completes when the process starts to shut down: work with `closesWithin` starts nothing new from then on. */
export type Closing = Deferred.Deferred<void>

export const isClosing = (closing: Closing): boolean => Deferred.isDoneUnsafe(closing)

/** `Claimed`: a claim plus whatever the room reads with it. */
export interface Work<Claimed extends Claim = Claim> {
  readonly queue: Queue
  readonly jobs: Pick<JobStore, "claimLost" | "release" | "renew" | "requeueLost">
  /** Rows that one process works on at the same time. */
  readonly atOnce: number
  /** How long work may take to finish when the scope closes. Default: it is interrupted at once. */
  readonly closesWithin?: Duration.Input
  /** Claims rows with the room's own condition. May return fewer than `limit`; it is called until it returns none. */
  claim(limit: number): Effect.Effect<ReadonlyArray<Claimed>, DatabaseError>
  /**
   * Does the work and records its outcome under the claim. Interrupted when the lease is lost; it must not write after
   * that.
   */
  perform(claim: Claimed, closing: Closing): Effect.Effect<void, unknown>
  /** Records an attempt that ended in a way `perform` did not foresee: schedules another one, or gives up. */
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

    const labeled = (words: string) => `${queue.table}: ${words}`

    const perform = (claim: Claimed) =>
      Effect.raceFirst(room.perform(claim, closing), untilLost(jobs, claim)).pipe(
        Effect.onInterrupt(() => Effect.ignore(jobs.release(claim))),
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterrupts(cause),
          (cause) =>
            Effect.logError(labeled("attempt failed"), cause).pipe(
              Effect.andThen(room.fail(claim, "unexpected")),
            ),
        ),
        Effect.catchCause((cause) =>
          Effect.logError(labeled("could not store the outcome"), cause),
        ),
      )

    const giveUp = (claim: Claim) =>
      Effect.catchCause(room.fail(claim, "lost"), (cause) =>
        Effect.logError(labeled("could not record a lost attempt"), cause),
      )

    /** Returns true if there may be more rows. */
    const look = Effect.gen(function* () {
      yield* jobs.requeueLost
      yield* Effect.forEach(yield* jobs.claimLost(atOnce), giveUp, { discard: true })
      const free = atOnce - (yield* FiberSet.size(inWork))
      if (free === 0) return false
      // A claim whose work never starts would block the row for a whole lease.
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
      Effect.catchCause((cause) => Effect.logError(labeled("looking for work failed"), cause)),
      Effect.andThen(Effect.timeoutOption(wakes.next(queue), pollInterval)),
      Effect.forever,
      Effect.forkScoped,
    )
  })

/**
 * Renews the lease as long as possible and returns once it is lost: when another worker holds it, or when the database
 * did not respond, or this process slept, for so long that one might. Measures time with the process's own clock, which
 * includes the time it slept. A response that does not arrive counts as a failure.
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
