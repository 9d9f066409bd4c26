// Deliveries of an audience to its destinations. spec 2.16, 4.4 and 5.10

import type { ApiCall } from "../core/api-call.ts"
import { atCursor, PagedList } from "../core/paged-list.ts"
import { path, type Path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import { Started } from "../core/started.ts"
import type { Transport } from "../core/transport.ts"
import { type WaitOptions, waitUntilOver } from "../core/wait.ts"
import type { ListMeta, ListPosition } from "./common.ts"

interface OneDelivery {
  readonly delivery: Delivery
}

/** `footfall.deliveries`. Needs an access token of a member, admin or owner. */
export class Deliveries {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Queues a delivery of the latest completed run to an active destination. `await` returns it as it was
   * accepted; `await deliveries.sync(…).wait()` returns it when it is finished. The first delivery of a
   * destination is `initial`.
   * Errors: NotFoundError; ConflictError: `DESTINATION_NOT_ACTIVE`, `NO_COMPLETED_RUN`,
   * `DELIVERY_IN_PROGRESS` (see `deliveryId`), `IDEMPOTENCY_MISMATCH`; PermissionError
   * (`DELIVERY_NOT_ELIGIBLE`).
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

  /** Lists the deliveries of an audience, newest first. Errors: NotFoundError, BadRequestError (`INVALID_CURSOR`). */
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
   * Lists the contacts that were not delivered, latest attempt first. Errors: NotFoundError, BadRequestError
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
   * Gets a contact that was not delivered: each attempt, what the receiver said, and what the contact is sent.
   * Errors: NotFoundError, also for a contact that did not fail.
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
   * Queues a new delivery of one contact that was not delivered.
   * Errors: those of `retry`; ConflictError (`CONFLICT`) for a delivery that did not complete: retry it as a whole.
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
   * Queues a new delivery of the contacts of this one that failed or were never tried.
   * Errors: those of `sync` but `NO_COMPLETED_RUN`; ConflictError (`CONFLICT`) when nothing failed.
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
   * Waits until a delivery is completed, failed or cancelled: see `status`. Polls less and less often, but
   * at least every 5 seconds.
   * Errors: NotFoundError, AbortedError, TimeoutError.
   */
  wait(
    delivery: Pick<Delivery, "audienceId" | "id">,
    options: WaitOptions<Delivery> = {},
  ): Promise<Delivery> {
    return waitUntilOver(
      this.#transport,
      {
        what: `the delivery ${delivery.id}`,
        look: (signal) => this.get(delivery.audienceId, delivery.id, { signal }),
        isOver: ({ status }) => status !== "queued" && status !== "processing",
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
  /** The run that it is compared with; null unless `incremental`. */
  readonly baselineRunId: string | null
  readonly mode: DeliveryMode
  readonly status: DeliveryStatus
  /** Contacts selected; 0 until a worker first claims the delivery. */
  readonly sourceCount: number
  /** Always the sum of sent, skipped and failed contacts. */
  readonly processedCount: number
  readonly sentCount: number
  /** Suppressed, rejected by the validation policy, or without the address that the destination needs. */
  readonly skippedCount: number
  readonly failedCount: number
  /** Number of acknowledged batches of 100 contacts. */
  readonly batchIndex: number
  /** Claims by a worker, at most 6. */
  readonly attempts: number
  /** Time of the next attempt; null unless it waits for one. */
  readonly nextAttemptAt: string | null
  /** The delivery whose contacts it retries. */
  readonly retryOfDeliveryId: string | null
  /** Why it failed; while it waits for another attempt, why the last one failed. */
  readonly errorCode: DeliveryErrorCode | null
  readonly errorMessage: string | null
  readonly startedAt: string | null
  /** When it was completed, failed or cancelled. */
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A contact that was not delivered. */
export interface DeliveryFailure {
  /** SHA-256 of the primary address, in hex. */
  readonly hashedEmail: string
  readonly errorCode: DeliveryErrorCode
  readonly errorMessage: string | null
  /** Status of the endpoint's last response; null when there was none. */
  readonly statusCode: number | null
  readonly attempts: number
  readonly lastAttemptAt: string
}

/** One attempt to send a contact that was not delivered. */
export interface DeliveryTry {
  readonly at: string
  readonly errorCode: DeliveryErrorCode
  readonly errorMessage: string | null
  /** Null without a response. */
  readonly statusCode: number | null
  /** The beginning of the webhook's response. Null for a mailing list. */
  readonly responseSnippet: string | null
}

/** A contact that was not delivered, with its attempts and what it is sent. */
export interface FailedContact extends DeliveryFailure {
  /** The attempts of the last time a worker took the delivery, oldest first. `attempts` counts all. */
  readonly tries: ReadonlyArray<DeliveryTry>
  /** The `webhook-id` of the request. Null for a mailing list. */
  readonly messageId: string | null
  /**
   * What the contact is sent: no copy, but made again from the results of the run and the destination as it is now.
   * Null when a suppression rule matches the contact or its result is no longer kept.
   */
  readonly payload: Readonly<Record<string, unknown>> | null
}

export interface SyncParams {
  /** `incremental` (default) sends contacts that changed, `full_resync` sends all of them. */
  readonly mode?: Exclude<DeliveryMode, "initial"> | undefined
  /**
   * Makes the sync safe to repeat: within 24 hours the same key returns the same delivery. 1 to 120 printable
   * ASCII characters. Default: a random key for each call.
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
