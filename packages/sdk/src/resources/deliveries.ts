// Deliveries of an audience to its destinations. Source: decisions.md 5.10.

import { atCursor } from "../core/at-cursor.ts"
import { checkBound } from "../core/bound.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { TimeoutError } from "../errors/timeout-error.ts"
import type {
  Delivery,
  DeliveryFailure,
  DeliveryListParams,
  DeliveryWaitOptions,
  SyncParams,
} from "./delivery.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"
import { QueuedDelivery } from "./queued-delivery.ts"

/** Wait before the second look; each further one is half as long again. Units: milliseconds. */
const lookBaseMs = 250
const lookBoundMs = { min: 100, max: 60_000 }
const lookDefaultMs = 5_000
const waitBoundMs = { min: 1, max: 86_400_000 }
const waitDefaultMs = 30 * 60_000

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
    { idempotencyKey, mode }: SyncParams = {},
    options: RequestOptions = {},
  ): QueuedDelivery {
    return this.#queued(async () => {
      const { delivery } = await this.#transport.requestData<OneDelivery>({
        method: "POST",
        path: path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/sync`,
        body: mode === undefined ? {} : { mode },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
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
  retry(audienceId: string, deliveryId: string, options: RequestOptions = {}): QueuedDelivery {
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
  async wait(
    delivery: Pick<Delivery, "audienceId" | "id">,
    options: DeliveryWaitOptions = {},
  ): Promise<Delivery> {
    const { lookMaxMs = lookDefaultMs, onDelivery, signal, waitMaxMs = waitDefaultMs } = options
    const longestMs = checkBound("lookMaxMs", lookMaxMs, lookBoundMs)
    const untilMs = this.#transport.nowMs() + checkBound("waitMaxMs", waitMaxMs, waitBoundMs)
    for (let look = 0; ; look += 1) {
      const present = await this.get(delivery.audienceId, delivery.id, { signal })
      onDelivery?.(present)
      if (present.status !== "queued" && present.status !== "processing") return present
      const leftMs = untilMs - this.#transport.nowMs()
      if (leftMs <= 0) {
        const words = `the delivery ${delivery.id} was still ${present.status} after ${waitMaxMs} ms`
        throw new TimeoutError(words, waitMaxMs)
      }
      const delayMs = Math.min(longestMs, lookBaseMs * 1.5 ** look, leftMs)
      await this.#transport.sleep(Math.ceil(delayMs), `the delivery ${delivery.id}`, signal)
    }
  }

  #queued(queue: () => Promise<Delivery>): QueuedDelivery {
    return new QueuedDelivery(queue, (delivery, wait) => this.wait(delivery, wait))
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
