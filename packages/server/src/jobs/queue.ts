// What a table must have to be a queue of work, and by which numbers it is worked off. The row of the
// work is the row of its resource: one truth, no second table to keep in step. Columns:
// `organization_id`, `id`, `status`, `attempts`, `claim`, `next_attempt_at`, `leased_until`, `started_at`,
// `created_at`, `updated_at`. A row is claimed while `leased_until` is set; `claim` grows with every claim
// and is the fence: every write names it, so a worker that was considered lost writes nothing.

import { Schema } from "effect"

/** Units: seconds. */ // spec 4.2, 4.4
export const leaseSeconds = 30
export const heartbeatSeconds = 5

/** Share of a lease after which a worker that could not renew it stops on its own. */
export const leaseShareMax = 2 / 3

export interface Queue {
  /** Table, and name in logs and metrics. */
  readonly table: string
  /** Status of what waits to be claimed. */
  readonly waiting: string
  /** Status of what is claimed; may be the same. */
  readonly working: string
  /** Claims of one row. */
  readonly attemptsMax: number
  /** Wait after the first failed attempt, the second, and so on; the last holds for all further ones. */
  readonly retrySeconds: ReadonlyArray<number>
}

/** Each wait is up to this much shorter or longer, so that what failed together does not return together. */
export const jitterShare = 0.2

/** One row in the hands of one worker. */
export interface Claim {
  readonly organizationId: string
  readonly id: string
  /** This one included. */
  readonly attempts: number
  /** The fence. A bigint as text. */
  readonly claim: string
}

/** The claim no longer holds the row: another worker has it, or it is over. Its holder writes nothing more. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {}) {}

/** How long to wait after so many attempts, without jitter. Units: seconds. */
export const waitAfter = ({ retrySeconds }: Queue, attempts: number): number =>
  retrySeconds[Math.min(attempts, retrySeconds.length) - 1]!
