// What a table needs to be a job queue, and the numbers that govern it. The job's row is the resource's row: one source
// of truth, no second table to keep in sync. Columns: `organization_id`, `id`, `status`, `attempts`, `claim`,
// `next_attempt_at`, `leased_until`, `started_at`, `created_at`, `updated_at`. A row is claimed while `leased_until` is
// set. `claim` increases with every claim and is the fence: every write names it, so a worker that was presumed lost
// can't write.

import { Schema } from "effect"

/** Units: seconds. */ // spec 4.2, 4.4
export const leaseSeconds = 30
export const heartbeatSeconds = 5

/** A worker that could not renew its lease stops by itself after this share of it. */
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

/** The claim no longer holds its row: another worker has it, or the job is over. Its holder must not write anymore. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {}) {}

/** How long to wait after this many attempts, before jitter. Units: seconds. */
export const waitAfter = ({ retrySeconds }: Queue, attempts: number): number =>
  retrySeconds[Math.min(attempts, retrySeconds.length) - 1]!
