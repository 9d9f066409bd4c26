// Deliveries: queuing one and waiting for it. spec 4.4 and 5.10

import type { ApiCall } from "../core/api-call.ts"
import { path, type Path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { Started, type WaitOptions, waitUntilFinished } from "../core/wait.ts"
import { Deliveries as Calls, type Delivery, type DeliveryMode } from "../resources/deliveries.ts"

interface OneDelivery {
  readonly delivery: Delivery
}

/** `footfall.deliveries`. Needs the access token of a member, admin or owner. */
export class Deliveries extends Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
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

export interface SyncParams {
  /** `incremental` (default) sends only changed contacts. `full_resync` sends all of them. */
  readonly mode?: Exclude<DeliveryMode, "initial"> | undefined
  /**
   * Makes the sync safe to repeat: within 24 hours, the same key returns the same delivery. 1 to 120 printable ASCII
   * characters. Default: a random key for each call.
   */
  readonly idempotencyKey?: string | undefined
}
