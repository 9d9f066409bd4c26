// A delivery of a run's contacts to one destination. Source: spec 2.16, 4.4.

import type { ListPosition } from "./list-position.ts"

/** The last three are the ends of a delivery. */
export type DeliveryStatus = "queued" | "processing" | "completed" | "failed" | "cancelled"

/** The first delivery of a destination is `initial`, whatever was asked for. */
export type DeliveryMode = "initial" | "incremental" | "full_resync"

export type DeliveryErrorCode =
  | "ENDPOINT_UNREACHABLE"
  | "ENDPOINT_TIMEOUT"
  | "ENDPOINT_ERROR"
  | "ENDPOINT_RATE_LIMITED"
  | "ENDPOINT_REJECTED"
  | "ENDPOINT_AUTH"
  | "ENDPOINT_NOT_FOUND"
  | "ENDPOINT_GONE"
  | "URL_BLOCKED"
  | "TLS_ERROR"
  | "ACCOUNT_DISCONNECTED"
  | "LIST_NOT_FOUND"
  | "PROVIDER_ERROR"
  | "CONTACT_INVALID"
  | "CONSECUTIVE_ERRORS"
  | "ALL_CONTACTS_FAILED"
  | "INTERNAL_ERROR"

export interface Delivery {
  readonly id: string
  readonly organizationId: string
  readonly audienceId: string
  readonly destinationId: string
  readonly destinationConfigRevision: number
  /** The run whose contacts are sent: the latest completed one when the delivery was made. */
  readonly sourceRunId: string
  /** The run it is compared with; null unless `incremental`. */
  readonly baselineRunId: string | null
  readonly mode: DeliveryMode
  readonly status: DeliveryStatus
  /** Contacts selected; 0 until a worker claimed it first. */
  readonly sourceCount: number
  /** Sent, skipped and failed ones, at every moment. */
  readonly processedCount: number
  readonly sentCount: number
  /** Suppressed, refused by the validation policy, or without an address the destination needs. */
  readonly skippedCount: number
  readonly failedCount: number
  /** Batches of 100 that are acknowledged. */
  readonly batchIndex: number
  /** Claims by a worker, at most 6. */
  readonly attempts: number
  /** When it is tried again, while it waits for that. */
  readonly nextAttemptAt: string | null
  /** The delivery whose contacts it sends once more. */
  readonly retryOfDeliveryId: string | null
  /** Why it failed, or why its last attempt did while it waits for another. */
  readonly errorCode: DeliveryErrorCode | null
  readonly errorMessage: string | null
  readonly startedAt: string | null
  /** When it came to its end, whichever. */
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A contact that did not arrive. */
export interface DeliveryFailure {
  /** SHA-256 of the primary address, in hex. */
  readonly hashedEmail: string
  readonly errorCode: DeliveryErrorCode
  readonly errorMessage: string | null
  /** Of the endpoint's last answer; null when there was none. */
  readonly statusCode: number | null
  readonly attempts: number
  readonly lastAttemptAt: string
}

export interface SyncParams {
  /** `incremental` (default) sends what has changed, `full_resync` everybody. */
  readonly mode?: Exclude<DeliveryMode, "initial"> | undefined
  /**
   * Makes the sync safe to repeat: within 24 hours the same key gives the same delivery. 1 to 120 printable
   * ASCII characters. Without one, a sync that got no answer is not repeated.
   */
  readonly idempotencyKey?: string | undefined
}

/** Default page size 25. */
export type DeliveryListParams = ListPosition & {
  /** Default: every destination of the audience. */
  readonly destinationId?: string | undefined
  /** Default: every status. */
  readonly status?: DeliveryStatus | undefined
}
