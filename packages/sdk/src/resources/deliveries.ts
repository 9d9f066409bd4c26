// Deliveries of an audience to its destinations. spec 2.16, 4.4 and 5.10

import type { ApiCall } from "../core/api-call.ts"
import { atCursor, PagedList } from "../core/paged-list.ts"
import { path, type Path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import { Started, type WaitOptions, waitUntilFinished } from "../core/wait.ts"
import type { Transport } from "../core/transport.ts"
import type { ListMeta, ListPosition } from "../extensions/common.ts"

interface OneDelivery {
  readonly delivery: Delivery
}

/** `footfall.deliveries`. Needs the access token of a member, admin or owner. */
export class Deliveries {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Queues a delivery of the latest completed run to an active destination. `await` returns the accepted delivery.
   * `await deliveries.sync(…).wait()` returns it when it is finished. A destination's first delivery is `initial`.
   * Errors: NotFoundError; ConflictError: `DESTINATION_NOT_ACTIVE`, `NO_COMPLETED_RUN`, `DELIVERY_IN_PROGRESS` (see
   * `deliveryId`), `IDEMPOTENCY_MISMATCH`; PermissionError (`DELIVERY_NOT_ELIGIBLE`).
   */
  sync(
    audienceId: string,
    destinationId: string,
    { idempotencyKey = crypto.randomUUID(), mode }: SyncParams = {},
    options: RequestOptions = {},
  ): Started<Delivery> {
    return this.#queued(() => {
      return this.#transport
        .post<OneDelivery>(
          path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/sync`,
          {
            body: mode === undefined ? {} : { mode },
            idempotencyKey,
            credentials: "accessToken",
            options,
          },
        )
        .map(({ delivery }) => delivery)
    })
  }

  /** Lists an audience's deliveries, newest first. Errors: NotFoundError, BadRequestError (`INVALID_CURSOR`). */
  list(
    audienceId: string,
    params: DeliveryListParams = {},
    options: RequestOptions = {},
  ): PagedList<Delivery, ListMeta> {
    return new PagedList<Delivery, ListMeta>((cursor) =>
      this.#transport
        .request<
          { readonly deliveries: ReadonlyArray<Delivery>; readonly total: number },
          Omit<ListMeta, "total">
        >({
          method: "GET",
          path: path`/v1/intent/audiences/${audienceId}/deliveries`,
          query: atCursor(params, cursor),
          credentials: "accessToken",
          options,
        })
        .map(({ data, meta }) => {
          return { data: data.deliveries, meta: { ...meta, total: data.total } }
        }),
    )
  }

  /** Gets a delivery. Errors: NotFoundError. */
  get(audienceId: string, deliveryId: string, options: RequestOptions = {}): ApiCall<Delivery> {
    return this.#transport
      .get<OneDelivery>(path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}`, {
        credentials: "accessToken",
        options,
      })
      .map(({ delivery }) => delivery)
  }

  /**
   * Lists the contacts that could not be delivered, latest attempt first. Errors: NotFoundError, BadRequestError
   * (`INVALID_CURSOR`).
   */
  failures(
    audienceId: string,
    deliveryId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<DeliveryFailure, ListMeta> {
    return new PagedList<DeliveryFailure, ListMeta>((cursor) =>
      this.#transport
        .request<
          { readonly failures: ReadonlyArray<DeliveryFailure>; readonly total: number },
          Omit<ListMeta, "total">
        >({
          method: "GET",
          path: path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/failures`,
          query: atCursor(params, cursor),
          credentials: "accessToken",
          options,
        })
        .map(({ data, meta }) => {
          return { data: data.failures, meta: { ...meta, total: data.total } }
        }),
    )
  }

  /**
   * Gets a failed contact: each attempt, the receiver's response, and the payload for the contact. Errors:
   * NotFoundError, also for a contact that did not fail.
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
   * Queues a new delivery of one failed contact. Errors: same as `retry`; ConflictError (`CONFLICT`) if the delivery
   * did not complete. Use `retry` for such a delivery.
   */
  retryFailure(
    audienceId: string,
    deliveryId: string,
    hashedEmail: string,
    options: RequestOptions = {},
  ): Started<Delivery> {
    const retry = path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/failures/${hashedEmail}/retry`
    return this.#queued(() => this.#act(retry, options))
  }

  /**
   * Queues a new delivery of the contacts in this one that failed or were never attempted. Errors: same as `sync`,
   * except `NO_COMPLETED_RUN`; ConflictError (`CONFLICT`) if nothing failed.
   */
  retry(audienceId: string, deliveryId: string, options: RequestOptions = {}): Started<Delivery> {
    const retry = path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/retry`
    return this.#queued(() => this.#act(retry, options))
  }

  /** Cancels a queued delivery. Errors: NotFoundError, ConflictError (`CONFLICT`). */
  cancel(audienceId: string, deliveryId: string, options: RequestOptions = {}): ApiCall<Delivery> {
    const cancel = path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/cancel`
    return this.#act(cancel, options)
  }

  /**
   * Waits until a delivery is completed, failed or cancelled; check `status`. Polls at growing intervals, up to 5
   * seconds by default. Errors: NotFoundError, AbortedError, TimeoutError.
   */
  wait(
    delivery: Pick<Delivery, "audienceId" | "id">,
    options: WaitOptions<Delivery> = {},
  ): Promise<Delivery> {
    return waitUntilFinished(
      this.#transport,
      {
        what: `the delivery ${delivery.id}`,
        poll: (signal) => this.get(delivery.audienceId, delivery.id, { signal }),
        isFinished: ({ status }) => status !== "queued" && status !== "processing",
      },
      options,
    )
  }

  #queued(queue: () => ApiCall<Delivery>): Started<Delivery> {
    return new Started(queue, (delivery, wait) => this.wait(delivery, wait))
  }

  #act(action: Path, options: RequestOptions): ApiCall<Delivery> {
    return this.#transport
      .post<OneDelivery>(action, { credentials: "accessToken", options })
      .map(({ delivery }) => delivery)
  }
}

/** `completed`, `failed` and `cancelled` are final. */
export type DeliveryStatus = "queued" | "processing" | "completed" | "failed" | "cancelled"

/** A destination's first delivery is always `initial`, whatever you request. */
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
  /** The run whose contacts are sent: the latest completed run when the delivery was created. */
  readonly sourceRunId: string
  /** The run to compare with; null unless `incremental`. */
  readonly baselineRunId: string | null
  readonly mode: DeliveryMode
  readonly status: DeliveryStatus
  /** Contacts selected; 0 until a worker first picks up the delivery. */
  readonly sourceCount: number
  /** Sum of sent, skipped and failed contacts. */
  readonly processedCount: number
  readonly sentCount: number
  /**
   * Contacts that are suppressed, rejected by the validation policy, or without the address that the destination needs.
   */
  readonly skippedCount: number
  readonly failedCount: number
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
  readonly errorMessage: string | null
  readonly startedAt: string | null
  /** When it was completed, failed or cancelled. */
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A contact that could not be delivered. */
export interface DeliveryFailure {
  /** SHA-256 of the primary email address, in hex. */
  readonly hashedEmail: string
  readonly errorCode: DeliveryErrorCode
  readonly errorMessage: string | null
  /** Status of the endpoint's last response; null if there was none. */
  readonly statusCode: number | null
  readonly attempts: number
  readonly lastAttemptAt: string
}

/** One attempt to deliver a failed contact. */
export interface DeliveryTry {
  readonly at: string
  readonly errorCode: DeliveryErrorCode
  readonly errorMessage: string | null
  /** Null if there was no response. */
  readonly statusCode: number | null
  /** Start of the webhook's response; null for a mailing list. */
  readonly responseSnippet: string | null
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

export interface SyncParams {
  /** `incremental` (default) sends only changed contacts. `full_resync` sends all of them. */
  readonly mode?: Exclude<DeliveryMode, "initial"> | undefined
  /**
   * Makes the sync safe to repeat: within 24 hours, the same key returns the same delivery. 1 to 120 printable ASCII
   * characters. Default: a random key for each call.
   */
  readonly idempotencyKey?: string | undefined
}

/** Default page size 25. */
export type DeliveryListParams = ListPosition & {
  /** Default: all of the audience's destinations. */
  readonly destinationId?: string | undefined
  /** Default: all. */
  readonly status?: DeliveryStatus | undefined
}
