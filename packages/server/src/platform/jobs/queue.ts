// What a table needs to be a job queue, and the numbers that govern it. A job's row is the resource's own row, so no
// second table must be kept in sync. A row is claimed while `leased_until` is set. `claim` increases with every claim
// and is the fence: every write names it, so a worker that was presumed lost can't write.

import { Context, Effect, Latch, Layer, Schema } from "effect"

/** Units: seconds. */ // spec 4.2, 4.4
export const leaseSeconds = 30
export const heartbeatSeconds = 5

/** The share of its lease after which a worker that could not renew it stops by itself. */
export const leaseShareMax = 2 / 3

export interface Queue {
  /** The table, also its name in logs and metrics. */
  readonly table: string
  /** Status of rows waiting to be claimed. */
  readonly waiting: string
  /** Status of claimed rows; may be the same. */
  readonly working: string
  /** Maximum claims of one row. */
  readonly attemptsMax: number
  /** Waits after the first failed attempt, the second, and so on; the last one repeats. */
  readonly retrySeconds: ReadonlyArray<number>
}

/** Each wait varies by up to this share, so that jobs that failed together do not return together. */
export const jitterShare = 0.2

/** One row held by one worker. */
export interface Claim {
  readonly organizationId: string
  readonly id: string
  /** Including this one. */
  readonly attempts: number
  /** The fence, a bigint as text. */
  readonly claim: string
}

/**
 * The claim no longer holds its row: another worker has it, or the job has ended. Its holder must not write anymore.
 */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {}) {}

/** How long to wait after this many attempts, before jitter. Units: seconds. */
export const waitAfter = ({ retrySeconds }: Queue, attempts: number): number =>
  retrySeconds[Math.min(attempts, retrySeconds.length) - 1]!

/**
 * Signals that this process has queued something, which wakes the queue's worker early. Work queued by other processes
 * is found by polling, so a lost signal only costs one poll.
 */
export class JobWakes extends Context.Service<
  JobWakes,
  {
    /** Call it after the commit. Never blocks and never fails. */
    wake(queue: Queue): Effect.Effect<void>
    /** Waits until the queue has been woken since this last returned. */
    next(queue: Queue): Effect.Effect<void>
  }
>()("@footfall/server/jobs/JobWakes") {
  static readonly layer = Layer.sync(JobWakes, () => {
    const latches = new Map<string, Latch.Latch>()
    const latchOf = ({ table }: Queue): Latch.Latch => {
      const known = latches.get(table)
      if (known !== undefined) return known
      const latch = Latch.makeUnsafe()
      latches.set(table, latch)
      return latch
    }
    return JobWakes.of({
      wake: (queue) => Effect.sync(() => latchOf(queue).openUnsafe()),
      next: (queue) =>
        Effect.suspend(() => Effect.andThen(latchOf(queue).await, latchOf(queue).close)),
    })
  })
}
