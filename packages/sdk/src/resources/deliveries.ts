// Deliveries of an audience to its destinations. Source: spec 5.10.

import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import { Started } from "../core/started.ts"
import type { Transport } from "../core/transport.ts"
import { waitUntilOver, type WaitOptions } from "../core/wait.ts"
import type { Delivery, DeliveryFailure, DeliveryListParams, SyncParams } from "./delivery.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"

interface OneDelivery {
  readonly delivery: Delivery
}

/** `footfall.deliveries`. Takes an access token of a member that is not a viewer. */
export class Deliveries {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Puts a delivery of the latest completed run to an active destination in the queue: `await` gives it as it
   * was accepted, `await deliveries.sync(…).wait()` when it has come to its end. The first one of a
   * destination is `initial`.
   * Errors: NotFoundError; ConflictError: `DESTINATION_NOT_ACTIVE`, `NO_COMPLETED_RUN`,
   * `DELIVERY_IN_PROGRESS` (see `deliveryId`), `IDEMPOTENCY_MISMATCH`; ForbiddenError
   * (`DELIVERY_NOT_ELIGIBLE`).
   */
  sync(
    audienceId: string,
    destinationId: string,
    { idempotencyKey = crypto.randomUUID(), mode }: SyncParams = {},
    options: RequestOptions = {},
  ): Started<Delivery> {
    return this.#queued(async () => {
      const { delivery } = await this.#transport.requestData<OneDelivery>({
        method: "POST",
        path: path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/sync`,
        body: mode === undefined ? {} : { mode },
        idempotencyKey,
        credentials: "accessToken",
        options,
      })
      return delivery
    })
  }

  /** Every delivery of an audience, newest first. Errors: NotFoundError, BadRequestError (`INVALID_CURSOR`). */
  list(
    audienceId: string,
    params: DeliveryListParams = {},
    options: RequestOptions = {},
  ): PagedList<Delivery, ListMeta> {
    return new PagedList<Delivery, ListMeta>(async (cursor) => {
      const { data, meta } = await this.#transport.request<
        { readonly deliveries: ReadonlyArray<Delivery>; readonly total: number },
        Omit<ListMeta, "total">
      >({
        method: "GET",
        path: path`/v1/intent/audiences/${audienceId}/deliveries`,
        query: atCursor(params, cursor),
        credentials: "accessToken",
        options,
      })
      return { data: data.deliveries, meta: { ...meta, total: data.total } }
    })
  }

  /** One delivery. Errors: NotFoundError. */
  async get(
    audienceId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): Promise<Delivery> {
    const { delivery } = await this.#transport.requestData<OneDelivery>({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}`,
      credentials: "accessToken",
      options,
    })
    return delivery
  }

  /**
   * Every contact that did not arrive, latest attempt first. Errors: NotFoundError, BadRequestError
   * (`INVALID_CURSOR`).
   */
  failures(
    audienceId: string,
    deliveryId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<DeliveryFailure, ListMeta> {
    return new PagedList<DeliveryFailure, ListMeta>(async (cursor) => {
      const { data, meta } = await this.#transport.request<
        { readonly failures: ReadonlyArray<DeliveryFailure>; readonly total: number },
        Omit<ListMeta, "total">
      >({
        method: "GET",
        path: path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/failures`,
        query: atCursor(params, cursor),
        credentials: "accessToken",
        options,
      })
      return { data: data.failures, meta: { ...meta, total: data.total } }
    })
  }

  /**
   * Queues a new delivery over the contacts of this one that failed or were never come to.
   * Errors: those of `sync` but `NO_COMPLETED_RUN`; ConflictError (`CONFLICT`) when nothing failed.
   */
  retry(audienceId: string, deliveryId: string, options: RequestOptions = {}): Started<Delivery> {
    return this.#queued(() => this.#act(audienceId, deliveryId, "retry", options))
  }

  /** Cancels a delivery that is queued. Errors: NotFoundError, ConflictError (`CONFLICT`). */
  cancel(audienceId: string, deliveryId: string, options: RequestOptions = {}): Promise<Delivery> {
    return this.#act(audienceId, deliveryId, "cancel", options)
  }

  /**
   * The delivery when it is completed, failed or cancelled: `status` tells which. Looks more and more rarely,
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

  #queued(queue: () => Promise<Delivery>): Started<Delivery> {
    return new Started(queue, (delivery, wait) => this.wait(delivery, wait))
  }

  async #act(
    audienceId: string,
    deliveryId: string,
    action: "cancel" | "retry",
    options: RequestOptions,
  ): Promise<Delivery> {
    const { delivery } = await this.#transport.requestData<OneDelivery>({
      method: "POST",
      path: path`/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/${action}`,
      credentials: "accessToken",
      options,
    })
    return delivery
  }
}
