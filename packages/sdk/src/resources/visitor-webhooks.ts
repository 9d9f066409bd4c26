// The visitor webhooks of an organization, and what was sent to each. Source: spec 5.6.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./deleted.ts"
import type { ListMeta } from "./list-meta.ts"
import type {
  VisitorWebhook,
  VisitorWebhookCreateParams,
  VisitorWebhookRotateParams,
  VisitorWebhookTest,
  VisitorWebhookUpdateParams,
  VisitorWebhookWithSecret,
  WebhookDelivery,
  WebhookDeliveryListParams,
} from "./visitor-webhook.ts"

/** `footfall.webhooks`. Takes an API key or an access token, but no viewer's. */
export class VisitorWebhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every webhook, newest first; 20 at most. */
  list(options: RequestOptions = {}): Promise<ReadonlyArray<VisitorWebhook>> {
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/data/webhooks",
      credentials: "either",
      options,
    })
  }

  /**
   * Registers a webhook; its secret is in this answer only. Errors: NotFoundError for the segment or the
   * pixel; BadRequestError for an address that is not allowed; ConflictError for the 21st.
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

  /** One webhook. Errors: NotFoundError. */
  get(webhookId: string, options: RequestOptions = {}): Promise<VisitorWebhook> {
    return this.#one("GET", webhookId, { options })
  }

  /** Changes what is given, stops or starts it. Errors: NotFoundError; BadRequestError. */
  update(
    webhookId: string,
    params: VisitorWebhookUpdateParams,
    options: RequestOptions = {},
  ): Promise<VisitorWebhook> {
    return this.#one("PATCH", webhookId, { body: params, options })
  }

  /** Deletes it for good; what it has queued is skipped. Errors: NotFoundError. */
  delete(webhookId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#one("DELETE", webhookId, { options })
  }

  /** A new secret, in this answer only; both sign during the grace period. Errors: NotFoundError. */
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
   * Sends one made-up event and waits for the answer. What is found out is the result, not an error.
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

  /** What was sent to it and what waits, newest first. Errors: NotFoundError; `INVALID_CURSOR`. */
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
   * Sends one of them again, once, with the same `webhook-id`. Errors: NotFoundError; ConflictError when
   * it is still queued, or when what was sent is not kept any longer.
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
