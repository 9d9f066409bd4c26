// A claimed delivery, as its worker uses it.
import type { EventSource } from "../../destinations/events/intent-event.ts"
import type { Topic } from "../../../intent/topics/topic.ts"
import type { DeliveryErrorCode } from "../delivery.ts"
import type { PlanQuestion } from "../plan.ts"
import type { BatchNews, Streak } from "../sending/batch-progress.ts"

/** Counters as of the last acknowledgement. Timestamps are ISO 8601. */
export interface DeliveryWork extends PlanQuestion {
  readonly audience: EventSource["audience"]
  readonly destinationConfigRevision: number
  readonly run: EventSource["run"]
  /** The run's topics. */
  readonly topics: ReadonlyArray<Topic>
  readonly sourceCount: number
  readonly sentCount: number
  readonly skippedCount: number
  readonly failedCount: number
  readonly removedSinceBaseline: number
  readonly batchIndex: number
  /** Null until planned. */
  readonly batchCount: number | null
  readonly acknowledgements: number
  readonly streak: Streak
  readonly startedAt: string
  /** The endpoint has accepted the started event or does not subscribe to it. */
  readonly hasStarted: boolean
  readonly startedAttempts: number
  readonly completedAttempts: number
  /** Time of the current batch's events; null before the first. */
  readonly eventAt: string | null
  /** Time of the next batch's events. */
  readonly nextEventAt: string | null
  /** When the last contact settled; null before that. */
  readonly settledAt: string | null
  /** Whether its destination returned to draft or was deleted after it was created. */
  readonly isWithdrawn: boolean
}

/** The delivery's state after an acknowledgement. */
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

/** The results of a batch, or of a part of it. */
export interface Acknowledgement extends BatchNews {
  readonly batchIndex: number
  /** How many acknowledgements the delivery has had. */
  readonly acknowledgements: number
}

/** How a delivery ends. */
export interface Ending {
  readonly status: "completed" | "failed" | "cancelled"
  readonly error: { readonly code: DeliveryErrorCode; readonly message: string } | undefined
  /** Whether the destination then needs its owner's attention. */
  readonly needsAttention: boolean
}

export const cancelled: Ending = { status: "cancelled", error: undefined, needsAttention: false }

/** `pause`: back to the queue to wait. `cancel`: it ends. */
export type DeliveryState = "go" | "pause" | "cancel"
