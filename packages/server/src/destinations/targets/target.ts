// A destination as a delivery needs it, secrets included.
import type { Redacted } from "effect"
import type { DestinationConfig, DestinationStatus, ValidationPolicy } from "../destination.ts"

export interface TargetKey {
  readonly organizationId: string
  readonly destinationId: string
}

export interface Target {
  readonly organizationId: string
  readonly id: string
  readonly audienceId: string
  readonly audienceName: string
  readonly name: string
  readonly status: DestinationStatus
  /** Deleted itself, or with its audience: nothing more is sent. */
  readonly isDeleted: boolean
  readonly configRevision: number
  readonly config: DestinationConfig
  readonly approvedConfigHash: string | null
  /** Whether what is configured is what was approved. */ // spec 2.15
  readonly isApproved: boolean
  readonly validationPolicy: ValidationPolicy
  /** `whsec_…`, the present one first; the former one while it is in its grace. None for automation. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly lastSuccessfulRunId: string | null
  readonly initialSyncCompletedAt: string | null
}

/** What became of contacts that a batch settled. */
export interface Settled {
  readonly sent: number
  readonly skipped: number
  readonly failed: number
  /** Failed contacts after the last that was sent, in the order in which they were settled. */
  readonly failedSinceSent: number
  /** The last failure, when there was one. `code`: one of a delivery's error codes. */ // spec 2.16
  readonly lastError?: TargetError | undefined
}

export interface TargetError {
  readonly code: string
  readonly message: string
}
