// A claimed delivery, as its worker uses it, and what a part of a batch brought.
import type { EventSource } from "../destinations/events/intent-event.ts"
import type { Target } from "../destinations/targets/target.ts"
import type { Topic } from "../../intent/topics/topic.ts"
import type { DeliveryErrorCode } from "./delivery.ts"
import type { Asked, PlannedContact, PlannedRemoval, PlanQuestion, PresentContact } from "./plan.ts"

export interface AttemptError {
  readonly code: DeliveryErrorCode
  readonly message: string
  readonly statusCode: number | null
  /** The endpoint's response. Absent for an empty one, and for an account. */
  readonly responseSnippet?: string | undefined
}

export interface Streak {
  readonly code: string | null
  readonly count: number
}

/** What a service told about someone it was sent. */
export interface AtProvider {
  /** The destination put them on the list, so it may remove them. */
  readonly isAdded: boolean
  /** Their id there, if a later delivery needs it. */
  readonly remoteId: string | null
  readonly email: string
  readonly listId: string
}

export interface SentContact<Contact extends Asked = PresentContact> {
  readonly contact: Contact
  readonly contentHash: string
  readonly atProvider?: AtProvider | undefined
}

/** One failed attempt. */
export interface FailedTry {
  readonly error: AttemptError
  /** Epoch milliseconds. */
  readonly at: number
}

/** What became of someone who left. */
export interface Leaving {
  /** The receiver acknowledged the removal. */
  readonly isRemoved: boolean
  /** They are not on the list any more. */
  readonly isOff: boolean
  /** The status that they get back if they qualify again. */
  readonly formerStatus: string | null
}

export interface LeftContact<Contact extends Asked = PlannedRemoval> extends Leaving {
  readonly contact: Contact
}

export interface FailedContact<Contact extends Asked = PresentContact> {
  readonly contact: Contact
  readonly error: AttemptError
  readonly attempts: number
  /** Attempts of this batch, in order; those of an earlier claim are only counted. */
  readonly tries: ReadonlyArray<FailedTry>
  /** Epoch milliseconds. */
  readonly lastAttemptAt: number
}

/** What settled since the previous part. */
export interface BatchNews<
  Contact extends Asked = PresentContact,
  Planned extends Asked = PlannedContact,
> {
  readonly sent: ReadonlyArray<SentContact<Contact>>
  readonly left: ReadonlyArray<LeftContact<Contact>>
  readonly skipped: ReadonlyArray<Planned>
  readonly failed: ReadonlyArray<FailedContact<Contact>>
  /** Attempts at each unsettled contact, by its position in the batch. Empty once the batch is complete. */
  readonly attempts: ReadonlyMap<number, number>
  readonly failedSinceSent: number
  readonly lastError: AttemptError | undefined
  /** Attempts that failed after the last contact that was sent, and the last one's error. */
  readonly failedAttempts: number
  readonly attemptError: AttemptError | undefined
  readonly streak: Streak
}

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
  readonly removedCount: number
  readonly removedSinceBaseline: number
  /** The time of events about removals; null until planned. */
  readonly removingAt: string | null
  /** It would remove so many that someone has to approve it. */
  readonly awaitsApproval: boolean
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

export const eventSource = (work: DeliveryWork, { name }: Target): EventSource => {
  const { audience, baselineRunId, deliveryId, mode, organizationId, sourceCount, sourceRunId } =
    work
  return {
    organizationId,
    audience,
    destination: { id: work.destinationId, name, configRevision: work.destinationConfigRevision },
    delivery: { id: deliveryId, mode, sourceRunId, baselineRunId, sourceCount },
    run: work.run,
  }
}

/** The delivery's state after an acknowledgement. */
export interface Acknowledged extends Pick<
  DeliveryWork,
  | "acknowledgements"
  | "batchIndex"
  | "eventAt"
  | "failedCount"
  | "nextEventAt"
  | "removedCount"
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
