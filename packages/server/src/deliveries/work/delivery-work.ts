// A claimed delivery as its worker has it.
import type { EventSource } from "../../destinations/events/intent-event.ts"
import type { Topic } from "../../topics/topic.ts"
import type { DeliveryErrorCode } from "../delivery.ts"
import type { PlanQuestion } from "../plan.ts"
import type { BatchNews, Streak } from "../sending/batch-progress.ts"

/** Counters are those of the last acknowledgement. Timestamps are ISO 8601. */
export interface DeliveryWork extends PlanQuestion {
  readonly audience: EventSource["audience"]
  readonly destinationConfigRevision: number
  readonly run: EventSource["run"]
  /** Those the run was made with. */
  readonly topics: ReadonlyArray<Topic>
  readonly sourceCount: number
  readonly sentCount: number
  readonly skippedCount: number
  readonly failedCount: number
  readonly removedSinceBaseline: number
  readonly batchIndex: number
  /** Null: not planned yet. */
  readonly batchCount: number | null
  readonly acknowledgements: number
  readonly streak: Streak
  readonly startedAt: string
  /** The endpoint has taken the started event, or is not sent any. */
  readonly hasStarted: boolean
  readonly startedAttempts: number
  readonly completedAttempts: number
  /** Of the events of the present batch; null before the first. */
  readonly eventAt: string | null
  /** Of the events of the batch after it. */
  readonly nextEventAt: string | null
  /** When the last contact was settled; null before that. */
  readonly settledAt: string | null
  /** Its destination went back to draft, or was deleted, since it was made. */
  readonly isWithdrawn: boolean
}

/** The state of the delivery after an acknowledgement. */
export interface Acknowledged extends Pick<
  DeliveryWork,
  | "acknowledgements"
  | "batchIndex"
  | "eventAt"
  | "failedCount"
  | "nextEventAt"
  | "sentCount"
  | "skippedCount"
  | "streak"
> {}

/** What became of a batch, in whole or in part. */
export interface Acknowledgement extends BatchNews {
  readonly batchIndex: number
  /** That the delivery has had. */
  readonly acknowledgements: number
}

/** How a delivery ends. */
export interface Ending {
  readonly status: "completed" | "failed" | "cancelled"
  readonly error: { readonly code: DeliveryErrorCode; readonly message: string } | undefined
  /** Whether the destination is to wait for its owner. */
  readonly needsAttention: boolean
}

export const cancelled: Ending = { status: "cancelled", error: undefined, needsAttention: false }

/** `pause`: it goes back to the queue and waits. `cancel`: it is over. */
export type Standing = "go" | "pause" | "cancel"
