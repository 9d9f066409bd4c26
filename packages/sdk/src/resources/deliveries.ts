// Deliveries of an audience to its destinations. spec 2.16, 4.4 and 5.10
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListMeta, ListPosition, ResponseMeta } from "../extensions/common.ts"

/** `footfall.deliveries`. Needs the access token of a member, admin or owner. */
export class Deliveries {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the deliveries of an audience, newest first. Errors: BadRequestError (`INVALID_CURSOR`), PermissionError,
   * NotFoundError.
   */
  list(
    audienceId: string,
    params: DeliveryListParams = {},
    options: RequestOptions = {},
  ): PagedList<Delivery, ListMeta> {
    return this.#transport.list(path`/v1/intent/audiences/${audienceId}/deliveries`, params, {
      rows: "deliveries",
      credentials: "accessToken",
      options,
    })
  }

  /** Returns one delivery with its status and counts. Errors: PermissionError, NotFoundError. */
  get(audienceId: string, deliveryId: string, options: RequestOptions = {}): ApiCall<Delivery> {
    return this.#transport
      .get<{ readonly delivery: Delivery }>(
        path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}`,
        { credentials: "accessToken", options },
      )
      .map(({ delivery }) => delivery)
  }

  /**
   * Returns what became of each contact: name, address, and why it failed, in the words of the receiver's service.
   * Once the run's results are deleted, only failed contacts are listed, without names. Errors: BadRequestError
   * (`INVALID_CURSOR`), PermissionError, NotFoundError.
   */
  contacts(
    audienceId: string,
    deliveryId: string,
    params: DeliveryContactsParams = {},
    options: RequestOptions = {},
  ): PagedList<DeliveryContact, DeliveryContactsMeta> {
    return this.#transport.list(
      path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/contacts`,
      params,
      { rows: "contacts", credentials: "accessToken", options },
    )
  }

  /**
   * Returns the contacts a delivery could not send, and why. Errors: BadRequestError (`INVALID_CURSOR`),
   * PermissionError, NotFoundError.
   */
  failures(
    audienceId: string,
    deliveryId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<DeliveryFailure, ListMeta> {
    return this.#transport.list(
      path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/failures`,
      params,
      { rows: "failures", credentials: "accessToken", options },
    )
  }

  /**
   * Returns one contact that a delivery could not send: each attempt, the receiver's response, and the payload. The
   * server rebuilds the payload from the run's results and the current destination, because it does not store a copy.
   * Errors: PermissionError, NotFoundError (the delivery is unknown, or the contact did not fail).
   */
  failure(
    audienceId: string,
    deliveryId: string,
    hashedEmail: string,
    options: RequestOptions = {},
  ): ApiCall<FailedContact> {
    return this.#transport
      .get<{ readonly failure: FailedContact }>(
        path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/failures/${hashedEmail}`,
        { credentials: "accessToken", options },
      )
      .map(({ failure }) => failure)
  }

  /**
   * Lets the removals of a delivery through that waits with `REMOVALS_NEED_APPROVAL`, and activates its destination.
   * Any other delivery returns `CONFLICT`. The approval counts for this delivery only. Errors: PermissionError,
   * NotFoundError, ConflictError (the delivery does not wait for an approval).
   */
  approve(audienceId: string, deliveryId: string, options: RequestOptions = {}): ApiCall<Delivery> {
    return this.#transport
      .post<{ readonly delivery: Delivery }>(
        path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/approve`,
        { credentials: "accessToken", options },
      )
      .map(({ delivery }) => delivery)
  }

  /**
   * Cancels a delivery that is still queued. Any other delivery returns `CONFLICT`. Errors: PermissionError,
   * NotFoundError, ConflictError (the delivery is not queued).
   */
  cancel(audienceId: string, deliveryId: string, options: RequestOptions = {}): ApiCall<Delivery> {
    return this.#transport
      .post<{ readonly delivery: Delivery }>(
        path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/cancel`,
        { credentials: "accessToken", options },
      )
      .map(({ delivery }) => delivery)
  }
}

/** Filters and position of a list of deliveries. Default page size 25. */
export type DeliveryListParams = ListPosition & {
  /** Only deliveries to this destination. */
  readonly destinationId?: string | undefined
  /** Return only items with this status. */
  readonly status?: DeliveryStatus | undefined
}

/** A run being sent to a destination, or already sent. */
export interface Delivery {
  /** Id of the delivery. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the audience. */
  readonly audienceId: string
  /** Id of the destination. */
  readonly destinationId: string
  /** Revision of the settings that the delivery uses. */
  readonly destinationConfigRevision: number
  /** The run whose contacts are sent: the latest completed run when the delivery was created. */
  readonly sourceRunId: string
  /** The run to compare with; null unless `incremental`. */
  readonly baselineRunId: string | null
  /** `initial` sends everyone for the first time, `incremental` what has changed, `full_resync` everyone again. */
  readonly mode: DeliveryMode
  /** Where the delivery stands. */
  readonly status: DeliveryStatus
  /** Contacts selected; 0 until a worker first picks up the delivery. */
  readonly sourceCount: number
  /** Sum of sent, skipped and failed contacts. */
  readonly processedCount: number
  /** Contacts delivered. */
  readonly sentCount: number
  /**
   * Contacts that are suppressed, rejected by the validation policy, or without the address that the destination
   * needs.
   */
  readonly skippedCount: number
  /** Contacts that could not be delivered. */
  readonly failedCount: number
  /** People who left the audience, or were suppressed, and whose removal the receiver acknowledged. */
  readonly removedCount: number
  /** Number of acknowledged batches, 100 contacts each. */
  readonly batchIndex: number
  /** How many times a worker has picked it up, at most 6. */
  readonly attempts: number
  /** Time of the next attempt; null unless it is waiting for one. */
  readonly nextAttemptAt: string | null
  /** The delivery whose contacts this one retries. */
  readonly retryOfDeliveryId: string | null
  /** Why it failed. While it waits for another attempt: why the last one failed. */
  readonly errorCode: DeliveryErrorCode | null
  /** Why the delivery ended early; null if it did not. */
  readonly errorMessage: string | null
  /** When it began; null while it is queued. */
  readonly startedAt: string | null
  /** When it was completed, failed or cancelled. */
  readonly completedAt: string | null
  /** When the delivery was created. */
  readonly createdAt: string
  /** When the delivery was last changed. */
  readonly updatedAt: string
}

/** Filter and position of a list of contacts. Default page size 50. */
export interface DeliveryContactsParams {
  /** Page size, 1 to 100. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Return only contacts with this outcome. Without it: failed, skipped and sent ones, in this order. */
  readonly outcome?: "sent" | "failed" | "skipped" | "removed" | undefined
}

/** What became of a contact of a delivery. */
export interface DeliveryContact {
  /** SHA-256 of the primary email address, in hex. */
  readonly hashedEmail: string
  /**
   * `sent`, `failed`, `skipped` (not sent, for example because they are suppressed) or `removed` (from the list,
   * after they left the audience).
   */
  readonly outcome: "sent" | "failed" | "skipped" | "removed"
  /** Full name; null if unknown. */
  readonly name: string | null
  /** Email address; null if unknown. */
  readonly email: string | null
  /** Why it failed; null unless `failed`. */
  readonly errorCode: DeliveryErrorCode | null
  /** What the last error says, in the words of the receiver's service if it has any. */
  readonly errorMessage: string | null
  /** Whether someone with this address is known now. */
  readonly personExists: boolean
}

/** `meta` of one page of the contacts of a delivery. It has no total. */
export interface DeliveryContactsMeta extends ResponseMeta {
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** A contact that could not be delivered. */
export interface DeliveryFailure {
  /** SHA-256 of the primary email address, in hex. */
  readonly hashedEmail: string
  /** Code of the last error. */
  readonly errorCode: DeliveryErrorCode
  /** What the last error says; null if it says nothing. */
  readonly errorMessage: string | null
  /** Status of the endpoint's last response; null if there was none. */
  readonly statusCode: number | null
  /** How often the contact was tried. */
  readonly attempts: number
  /** When the contact was last tried. */
  readonly lastAttemptAt: string
}

/** A failed contact with its attempts and its payload. */
export interface FailedContact extends DeliveryFailure {
  /** The attempts since a worker last picked up the delivery, oldest first. `attempts` counts all of them. */
  readonly tries: ReadonlyArray<DeliveryTry>
  /** The `webhook-id` of the request; null for a mailing list. */
  readonly messageId: string | null
  /**
   * The payload for the contact. It is not a stored copy: the server builds it from the run's results and the current
   * destination. Null if a suppression rule matches the contact or the result is no longer stored.
   */
  readonly payload: Readonly<Record<string, unknown>> | null
}

/** `completed`, `failed` and `cancelled` are final. */
export type DeliveryStatus = "queued" | "processing" | "completed" | "failed" | "cancelled"

/** A destination's first delivery is always `initial`, whatever you request. */
export type DeliveryMode = "initial" | "incremental" | "full_resync"

/** Why it failed. While it waits for another attempt: why the last one failed. */
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
  | "REMOVALS_NEED_APPROVAL"
  | "INTERNAL_ERROR"

/** One attempt to deliver a failed contact. */
export interface DeliveryTry {
  /** When it was tried. */
  readonly at: string
  /** Code of the error. */
  readonly errorCode: DeliveryErrorCode
  /** What the error says; null if it says nothing. */
  readonly errorMessage: string | null
  /** HTTP status of the response; null if there was none. */
  readonly statusCode: number | null
  /** Start of the webhook's response; null for a mailing list. */
  readonly responseSnippet: string | null
}
