// Visitor webhooks: URLs that receive an event when a person is identified or a company visits. spec 2.20, 5.6, 8.5,
// 13.3.5

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import { atCursor, PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ListMeta } from "../extensions/common.ts"

/** `footfall.webhooks`. Accepts an API key, or the access token of a member, admin or owner. */
export class VisitorWebhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the webhooks, newest first; at most 20. */
  list(options: RequestOptions = {}): ApiCall<ReadonlyArray<VisitorWebhook>> {
    return this.#transport.get("/v1/data/webhooks", { credentials: "either", options })
  }

  /**
   * Creates a webhook. Only this response includes its secret. Errors: NotFoundError for the segment or the pixel;
   * BadRequestError if the URL is not allowed; ConflictError for the 21st webhook.
   */
  create(
    params: VisitorWebhookCreateParams,
    options: CreateOptions = {},
  ): ApiCall<VisitorWebhookWithSecret> {
    return this.#transport.create("/v1/data/webhooks", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Gets a webhook. Errors: NotFoundError. */
  get(webhookId: string, options: RequestOptions = {}): ApiCall<VisitorWebhook> {
    return this.#one("GET", webhookId, { options })
  }

  /** Updates the given fields; also activates or deactivates a webhook. Errors: NotFoundError; BadRequestError. */
  update(
    webhookId: string,
    params: VisitorWebhookUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<VisitorWebhook> {
    return this.#one("PATCH", webhookId, { body: params, options })
  }

  /** Deletes a webhook. Its queued events are skipped. Errors: NotFoundError. */
  delete(webhookId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#one("DELETE", webhookId, { options })
  }

  /**
   * Creates a new secret. Only this response includes it. During the grace period, events are signed with both secrets.
   * Errors: NotFoundError.
   */
  rotateSecret(
    webhookId: string,
    params: VisitorWebhookRotateParams = {},
    options: RequestOptions = {},
  ): ApiCall<VisitorWebhookWithSecret> {
    return this.#transport.post(path`/v1/data/webhooks/${webhookId}/rotate-secret`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Sends one sample event and waits for the response. A failed test is a result, not an error.
   * Errors: NotFoundError.
   */
  test(webhookId: string, options: RequestOptions = {}): ApiCall<VisitorWebhookTest> {
    return this.#transport.post(path`/v1/data/webhooks/${webhookId}/test`, {
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
    return new PagedList<WebhookDelivery, ListMeta>((cursor) =>
      this.#transport
        .request<
          { readonly deliveries: ReadonlyArray<WebhookDelivery>; readonly total: number },
          Omit<ListMeta, "total">
        >({
          method: "GET",
          path: path`/v1/data/webhooks/${webhookId}/deliveries`,
          query: atCursor(params, cursor),
          credentials: "either",
          options,
        })
        .map(({ data, meta }) => ({
          data: data.deliveries,
          meta: { ...meta, total: data.total },
        })),
    )
  }

  /** Gets one event with the body that was sent. Errors: NotFoundError. */
  delivery(
    webhookId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): ApiCall<WebhookDeliveryWithPayload> {
    return this.#transport.requestData({
      method: "GET",
      path: path`/v1/data/webhooks/${webhookId}/deliveries/${deliveryId}`,
      credentials: "either",
      options,
    })
  }

  /**
   * Sends an event again, once, with the same `webhook-id`. Errors: NotFoundError; ConflictError if it is still queued,
   * or if its payload is no longer stored.
   */
  redeliver(
    webhookId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): ApiCall<WebhookDelivery> {
    return this.#transport
      .post<{
        readonly delivery: WebhookDelivery
      }>(path`/v1/data/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`, {
        body: {},
        credentials: "either",
        options,
      })
      .map(({ delivery }) => delivery)
  }

  #one<Data>(
    method: ApiRequest["method"],
    webhookId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): ApiCall<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/data/webhooks/${webhookId}`,
      credentials: "either",
      ...call,
    })
  }
}

/**
 * `first_match`: once per person. `every_update`: also for new sessions and changes, at most one event a minute.
 * `company_seen`: for companies instead of people, at most once in 7 days per company.
 */
export type VisitorWebhookTrigger = "first_match" | "every_update" | "company_seen"

/** `standard`: signed JSON. The others send a message to an incoming webhook of Slack, Teams or Discord. */
export type VisitorWebhookFormat = "standard" | "slack" | "teams" | "discord"

/**
 * How often messages are sent. `hourly` and `daily` send one message with counts and the first 20 people or companies.
 */
export type VisitorWebhookDigest = "immediate" | "hourly" | "daily"

/** A webhook, without its secret. */
export interface VisitorWebhook {
  readonly id: string
  readonly organizationId: string
  /** 1 to 160 characters. */
  readonly name: string
  readonly url: string
  readonly trigger: VisitorWebhookTrigger
  /** Only people in this segment; null for everyone. Always null with the trigger `company_seen`. */
  readonly segmentId: string | null
  /** Only people or companies that this pixel sees; null for all pixels. */
  readonly pixelId: string | null
  /** True if the pixel was deleted. The webhook then sends nothing until you set another pixel or null. */
  readonly pixelDeleted: boolean
  readonly format: VisitorWebhookFormat
  readonly digest: VisitorWebhookDigest
  /** Hour of a daily digest in the organization's time zone; otherwise null. */
  readonly digestHour: number | null
  /** The server sets `auto_disabled` if the receiver keeps failing. */
  readonly status: "active" | "inactive" | "auto_disabled"
  readonly signingVersion: "v1"
  /** Milliseconds, 1000 to 30000. */
  readonly timeoutMs: number
  readonly stats: VisitorWebhookStats
  readonly createdAt: string
  readonly updatedAt: string
}

/** Results of a webhook's events, not counting redeliveries. */
export interface VisitorWebhookStats {
  /** Sum of `succeeded` and `failed`. */
  readonly deliveries: number
  readonly succeeded: number
  readonly failed: number
  /** Percent with 2 decimals; null if there are no deliveries. */
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
  /** Not allowed with the trigger `company_seen`. */
  readonly segmentId?: string | null | undefined
  readonly pixelId?: string | null | undefined
  /** Default `standard`. */
  readonly format?: VisitorWebhookFormat | undefined
  /** Default `immediate`. The format `standard` allows no other value. */
  readonly digest?: VisitorWebhookDigest | undefined
  /** 0 to 23 in the organization's time zone, default 8. Only for the digest `daily`. */
  readonly digestHour?: number | null | undefined
  /** Milliseconds, 1000 to 30000, default 10000. */
  readonly timeoutMs?: number | undefined
  /** Default `active`. */
  readonly status?: "active" | "inactive" | undefined
}

/** Fields to change. Omitted fields keep their values. Setting `active` also ends `auto_disabled`. */
export type VisitorWebhookUpdateParams = {
  readonly [Name in keyof VisitorWebhookCreateParams]?: VisitorWebhookCreateParams[Name] | undefined
}

/** Options of a rotation. */
export interface VisitorWebhookRotateParams {
  /** Hours that the previous secret stays valid, 0 to 72, default 24. */
  readonly graceHours?: number | undefined
}

/** A webhook with its secret. No other response includes the secret. */
export interface VisitorWebhookWithSecret {
  readonly webhook: VisitorWebhook
  /** `whsec_…`. The receiver uses it to verify events. */
  readonly webhookSecret: string
}

/** The result of a test. */
export interface VisitorWebhookTest {
  /** Whether the response status was 2xx. */
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
  /** `visitor.digest` and `company.digest` are messages about several people or companies. */
  readonly event:
    | "visitor.identified"
    | "visitor.updated"
    | "company.identified"
    | "visitor.digest"
    | "company.digest"
  /** SHA-256 of the primary email address; null if the person was erased, and for companies and digests. */
  readonly visitorHash: string | null
  /** The company's domain for `company.identified`; otherwise null. */
  readonly companyDomain: string | null
  /** `skipped`: the person or company was suppressed, held back or erased before the event was sent. */
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

/** An event with the body that was sent. */
export interface WebhookDeliveryWithPayload extends WebhookDelivery {
  /**
   * The exact body that was signed, byte for byte. Null before the first attempt, after the person was erased, and when
   * the server no longer stores it (`WEBHOOK_PAYLOAD_DAYS`, 7 by default).
   */
  readonly payload: string | null
}

/** Filter and position of a delivery list. */
export type WebhookDeliveryListParams = {
  readonly status?: WebhookDeliveryStatus | undefined
  /** Only events about one person: the SHA-256 of any of their email addresses, for example `emailHash`. */
  readonly visitorHash?: string | undefined
  /** Rows per page, 1 to 100, default 25. */
  readonly limit?: number | undefined
} & (
  | { readonly offset?: number | undefined; readonly cursor?: undefined }
  | { readonly offset?: undefined; readonly cursor?: string | undefined }
)
