// Visitor webhooks: addresses that get an event when a person is identified. spec 2.20, 5.6 and 8.5

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ListMeta } from "./common.ts"

/** `footfall.webhooks`. Takes an API key, or an access token of a member, admin or owner. */
export class VisitorWebhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the webhooks, newest first; at most 20. */
  list(options: RequestOptions = {}): Promise<ReadonlyArray<VisitorWebhook>> {
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/data/webhooks",
      credentials: "either",
      options,
    })
  }

  /**
   * Creates a webhook. Only this response holds its secret. Errors: NotFoundError for the segment or the
   * pixel; BadRequestError for a URL that is not allowed; ConflictError for the 21st.
   */
  create(
    params: VisitorWebhookCreateParams,
    options: RequestOptions = {},
  ): Promise<VisitorWebhookWithSecret> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/data/webhooks",
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Gets a webhook. Errors: NotFoundError. */
  get(webhookId: string, options: RequestOptions = {}): Promise<VisitorWebhook> {
    return this.#one("GET", webhookId, { options })
  }

  /** Updates the given fields, stops or starts a webhook. Errors: NotFoundError; BadRequestError. */
  update(
    webhookId: string,
    params: VisitorWebhookUpdateParams,
    options: RequestOptions = {},
  ): Promise<VisitorWebhook> {
    return this.#one("PATCH", webhookId, { body: params, options })
  }

  /** Deletes a webhook. Its queued events are skipped. Errors: NotFoundError. */
  delete(webhookId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#one("DELETE", webhookId, { options })
  }

  /**
   * Creates a new secret. Only this response holds it. Both secrets sign during the grace period. Errors:
   * NotFoundError.
   */
  rotateSecret(
    webhookId: string,
    params: VisitorWebhookRotateParams = {},
    options: RequestOptions = {},
  ): Promise<VisitorWebhookWithSecret> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/data/webhooks/${webhookId}/rotate-secret`,
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Sends one sample event and waits for the response. A failed test is a result, not an error.
   * Errors: NotFoundError.
   */
  test(webhookId: string, options: RequestOptions = {}): Promise<VisitorWebhookTest> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/data/webhooks/${webhookId}/test`,
      body: {},
      credentials: "either",
      options,
    })
  }

  /** Lists sent and queued events, newest first. Errors: NotFoundError; `INVALID_CURSOR`. */
  deliveries(
    webhookId: string,
    params: WebhookDeliveryListParams = {},
    options: RequestOptions = {},
  ): PagedList<WebhookDelivery, ListMeta> {
    return new PagedList<WebhookDelivery, ListMeta>(async (cursor) => {
      const { data, meta, ...rest } = await this.#transport.request<
        { readonly deliveries: ReadonlyArray<WebhookDelivery>; readonly total: number },
        Omit<ListMeta, "total">
      >({
        method: "GET",
        path: path`/v1/data/webhooks/${webhookId}/deliveries`,
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      })
      return { ...rest, data: data.deliveries, meta: { ...meta, total: data.total } }
    })
  }

  /**
   * Sends an event again, once, with the same `webhook-id`. Errors: NotFoundError; ConflictError when
   * it is still queued, or when its payload is no longer stored.
   */
  async redeliver(
    webhookId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): Promise<WebhookDelivery> {
    const { delivery } = await this.#transport.requestData<{
      readonly delivery: WebhookDelivery
    }>({
      method: "POST",
      path: path`/v1/data/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`,
      body: {},
      credentials: "either",
      options,
    })
    return delivery
  }

  async #one<Data>(
    method: ApiRequest["method"],
    webhookId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): Promise<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/data/webhooks/${webhookId}`,
      credentials: "either",
      ...call,
    })
  }
}

/** `first_match`: once per person. `every_update`: also new sessions and changes, at most one event a minute. */
export type VisitorWebhookTrigger = "first_match" | "every_update"

/** A webhook, without its secret. */
export interface VisitorWebhook {
  readonly id: string
  readonly organizationId: string
  /** 1 to 160 characters. */
  readonly name: string
  readonly url: string
  readonly trigger: VisitorWebhookTrigger
  /** Only people in this segment; null: everyone. */
  readonly segmentId: string | null
  /** Only people this pixel sees; null: all pixels. */
  readonly pixelId: string | null
  /** True: the pixel was deleted, and the webhook does not fire until it has another pixel or none. */
  readonly pixelDeleted: boolean
  /** The server sets `auto_disabled` when the receiver keeps failing. */
  readonly status: "active" | "inactive" | "auto_disabled"
  readonly signingVersion: "v1"
  /** 1000 to 30000. */
  readonly timeoutMs: number
  readonly stats: VisitorWebhookStats
  readonly createdAt: string
  readonly updatedAt: string
}

/** Results of a webhook's events. Redeliveries are not counted. */
export interface VisitorWebhookStats {
  /** `succeeded` and `failed` together. */
  readonly deliveries: number
  readonly succeeded: number
  readonly failed: number
  /** Percent with 2 decimals; null without deliveries. */
  readonly successRate: number | null
  readonly consecutiveFailures: number
  readonly lastDeliveredAt: string | null
  readonly lastErrorAt: string | null
  readonly lastErrorMessage: string | null
}

/** A new webhook. */
export interface VisitorWebhookCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** `https:`, at most 2048 characters. */
  readonly url: string
  /** Default `first_match`. */
  readonly trigger?: VisitorWebhookTrigger | undefined
  readonly segmentId?: string | null | undefined
  readonly pixelId?: string | null | undefined
  /** 1000 to 30000, default 10000. */
  readonly timeoutMs?: number | undefined
  /** Default `active`. */
  readonly status?: "active" | "inactive" | undefined
}

/** Fields to change. Omitted fields keep their values. `active` also ends `auto_disabled`. */
export type VisitorWebhookUpdateParams = {
  readonly [Name in keyof VisitorWebhookCreateParams]?: VisitorWebhookCreateParams[Name] | undefined
}

/** Options of a rotation. */
export interface VisitorWebhookRotateParams {
  /** Hours that the previous secret stays valid, 0 to 72, default 24. */
  readonly graceHours?: number | undefined
}

/** A webhook and its secret, which no other response holds. */
export interface VisitorWebhookWithSecret {
  readonly webhook: VisitorWebhook
  /** `whsec_…`; the receiver verifies events with it. */
  readonly webhookSecret: string
}

/** The result of a test. */
export interface VisitorWebhookTest {
  /** Whether the response was 2xx. */
  readonly ok: boolean
  readonly statusCode: number | null
  readonly latencyMs: number
  readonly error: string | null
}

export type WebhookDeliveryStatus = "queued" | "succeeded" | "failed" | "skipped"

/** One event for one webhook. */
export interface WebhookDelivery {
  readonly id: string
  readonly webhookId: string
  readonly event: "visitor.identified" | "visitor.updated"
  /** SHA-256 of the primary address; null once the person was erased. */
  readonly visitorHash: string | null
  /** `skipped`: the person was suppressed, held back or erased before it was sent. */
  readonly status: WebhookDeliveryStatus
  readonly attempts: number
  readonly statusCode: number | null
  readonly errorMessage: string | null
  /** First 1 KiB of the last response. */
  readonly responseSnippet: string | null
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly completedAt: string | null
}

/** Filter and position of a list of deliveries. */
export type WebhookDeliveryListParams = {
  readonly status?: WebhookDeliveryStatus | undefined
  /** Rows per page, 1 to 100, default 25. */
  readonly limit?: number | undefined
} & (
  | { readonly offset?: number | undefined; readonly cursor?: undefined }
  | { readonly offset?: undefined; readonly cursor?: string | undefined }
)
