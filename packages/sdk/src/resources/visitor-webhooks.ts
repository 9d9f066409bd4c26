// Visitor webhooks: URLs that receive an event when a person is identified, a company visits or a page is viewed. spec 2.20, 5.6, 8.5, 8.6, 13.3.5
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ListMeta, ListPosition } from "../extensions/common.ts"

/** `footfall.webhooks`. Accepts an API key, or the access token of a member, admin or owner. */
export class VisitorWebhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns every visitor webhook of the organization, newest first. */
  list(options: RequestOptions = {}): ApiCall<ReadonlyArray<VisitorWebhook>> {
    return this.#transport.get("/v1/data/webhooks", { credentials: "either", options })
  }

  /**
   * Creates a webhook that sends identified visitors, companies or page views to your server. Store `webhookSecret`:
   * it signs every request, and the API does not show it again. Messages to people are not signed, so their webhook
   * has none. With the format `email`, send `recipients` instead of `url`. Errors: BadRequestError (the URL is not
   * allowed, a recipient is no member, or the trigger has no use for a field or the segment), NotFoundError (the
   * segment, the list or the pixel is unknown), ConflictError (`MAIL_NOT_CONFIGURED`; 20 webhooks exist, or the
   * server sends no email).
   */
  create(
    params: VisitorWebhookCreateParams,
    options: CreateOptions = {},
  ): ApiCall<VisitorWebhookCreated> {
    return this.#transport.create("/v1/data/webhooks", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Tries a webhook on the sessions of the last 24 hours, 7 or 30 days: how often it would have sent, and the message
   * about the newest session that matches. Takes the body of a creation, without `name`, `url` and `recipients` if
   * you like. Nothing is stored or sent. Errors: BadRequestError (the trigger has no use for a field or the segment),
   * NotFoundError (the segment, the list or the pixel is unknown), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  preview(
    params: VisitorWebhookPreviewParams = {},
    options: RequestOptions = {},
  ): ApiCall<VisitorWebhookPreview> {
    return this.#transport.post("/v1/data/webhooks/preview", {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  /** Returns one visitor webhook with its delivery statistics. Never returns the secret. Errors: NotFoundError. */
  get(webhookId: string, options: RequestOptions = {}): ApiCall<VisitorWebhook> {
    return this.#transport.get(path`/v1/data/webhooks/${webhookId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Updates the fields you send. Setting `status` to `active` also resumes a webhook that was disabled after repeated
   * failures. A change to the format `email` needs `recipients` and drops the URL; a change from it needs `url`.
   * Errors: BadRequestError (the URL is not allowed, a recipient is no member, or the trigger has no use for a field
   * or the segment), NotFoundError, ConflictError (`MAIL_NOT_CONFIGURED`; the server sends no email).
   */
  update(
    webhookId: string,
    params: VisitorWebhookUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<VisitorWebhook> {
    return this.#transport.patch(path`/v1/data/webhooks/${webhookId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Permanently deletes a webhook. Queued deliveries are not sent. Errors: NotFoundError. */
  delete(webhookId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/webhooks/${webhookId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Creates a new signing secret and returns it once. The old secret keeps signing for `graceHours`, so you can
   * update your receiver without missing events. Errors: BadRequestError, NotFoundError, ConflictError (requests in
   * the webhook's format are not signed).
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
   * Sends a `webhook.test` event now and returns your server's response. With the format `email`, every recipient
   * gets a test email. Does not count in `stats`. Errors: NotFoundError.
   */
  test(webhookId: string, options: RequestOptions = {}): ApiCall<VisitorWebhookTest> {
    return this.#transport.post(path`/v1/data/webhooks/${webhookId}/test`, {
      credentials: "either",
      options,
    })
  }

  /** Returns the deliveries of a webhook, newest first. Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError. */
  deliveries(
    webhookId: string,
    params: WebhookDeliveryListParams = {},
    options: RequestOptions = {},
  ): PagedList<WebhookDelivery, ListMeta> {
    return this.#transport.list(path`/v1/data/webhooks/${webhookId}/deliveries`, params, {
      rows: "deliveries",
      credentials: "either",
      options,
    })
  }

  /**
   * Returns one delivery with `payload`, the body exactly as it was signed and sent. It is null before the first
   * attempt, after the person was erased, and once the server no longer stores it (7 days by default). Errors:
   * NotFoundError.
   */
  delivery(
    webhookId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): ApiCall<WebhookDeliveryWithPayload> {
    return this.#transport.get(path`/v1/data/webhooks/${webhookId}/deliveries/${deliveryId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Resends one delivery once, with the same `webhook-id`. Also works while the webhook is inactive. Returns
   * `CONFLICT` when the payload is no longer stored. Errors: NotFoundError, ConflictError (the event is still queued,
   * or its payload is no longer stored).
   */
  redeliver(
    webhookId: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): ApiCall<WebhookDelivery> {
    return this.#transport
      .post<{ readonly delivery: WebhookDelivery }>(
        path`/v1/data/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`,
        { credentials: "either", options },
      )
      .map(({ delivery }) => delivery)
  }
}

/** A webhook, without its secret. */
export interface VisitorWebhook {
  /** Id of the webhook. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name of the webhook, 1 to 160 characters. */
  readonly name: string
  /** Where events are sent; null with the format `email`. */
  readonly url: string | null
  /** Ids of the members who get the emails; null with other formats than `email`. */
  readonly recipients: ReadonlyArray<string> | null
  /** When an event is sent. */
  readonly trigger: VisitorWebhookTrigger
  /** Only views of pages under this path; null for every page, and with other triggers than `page_viewed`. */
  readonly path: string | null
  /** How long a page has to be visible, in seconds; null with other triggers than `page_viewed`. */
  readonly minSeconds: number | null
  /** Only people, or visits of companies, in this segment; null for all. */
  readonly segmentId: string | null
  /**
   * Only people or companies in this list; null for all, and with other triggers than `page_viewed` and
   * `company_seen`.
   */
  readonly listId: string | null
  /** Whether people, anonymous visits of companies, or both are sent; null with other triggers than `page_viewed`. */
  readonly identified: VisitorWebhookIdentified | null
  /** When the same person or company is sent again; null with other triggers than `page_viewed` and `company_seen`. */
  readonly again: VisitorWebhookAgain | null
  /** Only people or companies that this pixel sees; null for all pixels. */
  readonly pixelId: string | null
  /** True if the pixel was deleted. The webhook then sends nothing until you set another pixel or null. */
  readonly pixelDeleted: boolean
  /** Shape of the body: `standard`, what a chat tool shows, or an email. */
  readonly format: VisitorWebhookFormat
  /** Whether events are sent at once, hourly, daily or weekly. */
  readonly digest: VisitorWebhookDigest
  /** Hour of a daily or weekly digest in the organization's time zone; otherwise null. */
  readonly digestHour: number | null
  /** Day of a weekly digest, 1 (Monday) to 7 (Sunday); otherwise null. */
  readonly digestDay: number | null
  /** The server sets `auto_disabled` if the receiver keeps failing. */
  readonly status: "active" | "inactive" | "auto_disabled"
  /** How requests are signed; null for messages to people, which are not. */
  readonly signingVersion: "v1" | null
  /** Milliseconds, 1000 to 30000. */
  readonly timeoutMs: number
  /** What was sent so far. */
  readonly stats: VisitorWebhookStats
  /** Set from the first attempt that failed until the next success. Null unless the webhook is active. */
  readonly retrying: {
    /** Attempts that failed since the last success. */
    readonly count: number
    /** Why the last one failed; null if unknown. */
    readonly errorMessage: string | null
    /** When the last one failed. */
    readonly at: string | null
  } | null
  /** When the webhook was created. */
  readonly createdAt: string
  /** When the webhook was last changed. */
  readonly updatedAt: string
}

/** A new webhook. */
export interface VisitorWebhookCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /**
   * The `https:` URL that receives the events, at most 2048 characters. Required, except with the format `email`,
   * which has none.
   */
  readonly url?: string | undefined
  /** Ids of members who get the emails, 1 to 20. Required with the format `email`, and only with it. */
  readonly recipients?: ReadonlyArray<string> | undefined
  /**
   * `first_match` sends each person once, `every_update` also sends every session and change. `company_seen` sends
   * companies that visit. `page_viewed` sends whoever views a page, identified or not. `entered_segment` and
   * `left_segment` send people, or companies, as they enter or leave the segment. Default `first_match`.
   */
  readonly trigger?: VisitorWebhookTrigger | undefined
  /**
   * Send only views of pages under this path, such as `/pricing`. Null sends every page. Only with the trigger
   * `page_viewed`.
   */
  readonly path?: string | null | undefined
  /**
   * Send a page view only once the page was visible for this many seconds, 0 to 600. Default 0. Only with the trigger
   * `page_viewed`.
   */
  readonly minSeconds?: number | null | undefined
  /**
   * Send only visitors, or visits of companies, in this segment. Null sends all. `first_match` and `every_update`
   * take a segment of people, `company_seen` one of companies, the others either. Required with `entered_segment` and
   * `left_segment`.
   */
  readonly segmentId?: string | null | undefined
  /**
   * Send only people or companies in this list. Null sends all. Only with the triggers `page_viewed` and
   * `company_seen`, which takes a list of companies.
   */
  readonly listId?: string | null | undefined
  /**
   * `identified` sends only people, `anonymous` only visits of companies by people who are not identified. Default
   * `any`. Only with the trigger `page_viewed`.
   */
  readonly identified?: VisitorWebhookIdentified | null | undefined
  /**
   * When the same person or company is sent again: in `every_session`, after `1h`, `24h` or `7d`, or never (`once`).
   * Default `every_session`, and `7d` with the trigger `company_seen`. Only with these two triggers.
   */
  readonly again?: VisitorWebhookAgain | null | undefined
  /** Send only visitors or companies from this pixel's site. Null sends those of every pixel. */
  readonly pixelId?: string | null | undefined
  /**
   * `standard` sends signed JSON; `slack`, `teams` and `discord` send a chat message to an incoming webhook; `email`
   * sends emails to members. Default `standard`.
   */
  readonly format?: VisitorWebhookFormat | undefined
  /** How often messages are sent. Default `immediate`. Only `immediate` can be combined with the format `standard`. */
  readonly digest?: VisitorWebhookDigest | undefined
  /** Hour of a daily or weekly digest, 0 to 23, in the organization's time zone. Default 8. Null for other digests. */
  readonly digestHour?: number | null | undefined
  /** Day of a weekly digest, 1 (Monday) to 7 (Sunday). Default 1. Null for other digests. */
  readonly digestDay?: number | null | undefined
  /** Milliseconds to wait for a response. Default 10000. From 1000 to 30,000. */
  readonly timeoutMs?: number | undefined
  /** Whether events are sent. Default `active`. Setting `active` also ends `auto_disabled`. */
  readonly status?: "active" | "inactive" | undefined
}

/** A new webhook with its secret, which only a rotation shows again. */
export interface VisitorWebhookCreated {
  /** The webhook. */
  readonly webhook: VisitorWebhook
  /** `whsec_…`. The receiver uses it to verify events. Null for messages to people, which are not signed. */
  readonly webhookSecret: string | null
}

/** A webhook to try, and the period. */
export interface VisitorWebhookPreviewParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /**
   * The `https:` URL that receives the events, at most 2048 characters. Required, except with the format `email`,
   * which has none.
   */
  readonly url?: string | undefined
  /** Ids of members who get the emails, 1 to 20. Required with the format `email`, and only with it. */
  readonly recipients?: ReadonlyArray<string> | undefined
  /**
   * `first_match` sends each person once, `every_update` also sends every session and change. `company_seen` sends
   * companies that visit. `page_viewed` sends whoever views a page, identified or not. `entered_segment` and
   * `left_segment` send people, or companies, as they enter or leave the segment. Default `first_match`.
   */
  readonly trigger?: VisitorWebhookTrigger | undefined
  /**
   * Send only views of pages under this path, such as `/pricing`. Null sends every page. Only with the trigger
   * `page_viewed`.
   */
  readonly path?: string | null | undefined
  /**
   * Send a page view only once the page was visible for this many seconds, 0 to 600. Default 0. Only with the trigger
   * `page_viewed`.
   */
  readonly minSeconds?: number | null | undefined
  /**
   * Send only visitors, or visits of companies, in this segment. Null sends all. `first_match` and `every_update`
   * take a segment of people, `company_seen` one of companies, the others either. Required with `entered_segment` and
   * `left_segment`.
   */
  readonly segmentId?: string | null | undefined
  /**
   * Send only people or companies in this list. Null sends all. Only with the triggers `page_viewed` and
   * `company_seen`, which takes a list of companies.
   */
  readonly listId?: string | null | undefined
  /**
   * `identified` sends only people, `anonymous` only visits of companies by people who are not identified. Default
   * `any`. Only with the trigger `page_viewed`.
   */
  readonly identified?: VisitorWebhookIdentified | null | undefined
  /**
   * When the same person or company is sent again: in `every_session`, after `1h`, `24h` or `7d`, or never (`once`).
   * Default `every_session`, and `7d` with the trigger `company_seen`. Only with these two triggers.
   */
  readonly again?: VisitorWebhookAgain | null | undefined
  /** Send only visitors or companies from this pixel's site. Null sends those of every pixel. */
  readonly pixelId?: string | null | undefined
  /**
   * `standard` sends signed JSON; `slack`, `teams` and `discord` send a chat message to an incoming webhook; `email`
   * sends emails to members. Default `standard`.
   */
  readonly format?: VisitorWebhookFormat | undefined
  /** How often messages are sent. Default `immediate`. Only `immediate` can be combined with the format `standard`. */
  readonly digest?: VisitorWebhookDigest | undefined
  /** Hour of a daily or weekly digest, 0 to 23, in the organization's time zone. Default 8. Null for other digests. */
  readonly digestHour?: number | null | undefined
  /** Day of a weekly digest, 1 (Monday) to 7 (Sunday). Default 1. Null for other digests. */
  readonly digestDay?: number | null | undefined
  /** Milliseconds to wait for a response. Default 10000. From 1000 to 30,000. */
  readonly timeoutMs?: number | undefined
  /** Whether events are sent. Default `active`. Setting `active` also ends `auto_disabled`. */
  readonly status?: "active" | "inactive" | undefined
  /** Try it on the sessions of this period. Default `30d`. */
  readonly timeframe?: "24h" | "7d" | "30d" | undefined
}

/** What a webhook would have sent. */
export interface VisitorWebhookPreview {
  /** The body that would be sent for the newest session that matches; null if none does. */
  readonly message: string | null
  /** How often it would have sent, counting from the beginning of the timeframe. */
  readonly told: number
  /** What matched and would not have been sent. */
  readonly heldBack: {
    /** Sessions of someone who was sent before, as `again` says. */
    readonly again: number
    /** Sessions of suppressed people and companies. */
    readonly suppressed: number
  }
  /** How often it would have sent with each value of `again`. */
  readonly byAgain: {
    /** In every session. */
    readonly every_session: number
    /** At most once an hour. */
    readonly "1h": number
    /** At most once in 24 hours. */
    readonly "24h": number
    /** At most once in 7 days. */
    readonly "7d": number
    /** Once per person or company. */
    readonly once: number
  }
  /** The newest sessions that match, at most 10. */
  readonly samples: ReadonlyArray<{
    /** When the page was viewed, or when the session began. */
    readonly at: string
    /** The person; null if no one is identified, and for a webhook about companies. */
    readonly visitor: {
      /** SHA-256 of the primary email address. */
      readonly emailHash: string
      /** Primary email address. */
      readonly email: string | null
      /** Full name. */
      readonly fullName: string | null
    } | null
    /** The company of the person or of the visit; null without one. */
    readonly company: {
      /** Domain of the company. */
      readonly domain: string
      /** Name of the company. */
      readonly name: string | null
    } | null
    /** The page; null for a trigger that is not about pages. */
    readonly page: {
      /** Path of the page, without query. */
      readonly path: string
      /** Title of the page. */
      readonly title: string | null
      /** How long it was visible; null if it is not known. */
      readonly secondsVisible: number | null
    } | null
    /** Whether it would have been sent. */
    readonly told: boolean
  }>
}

/** Fields to change. Omitted fields keep their values. Setting `active` also ends `auto_disabled`. */
export interface VisitorWebhookUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /**
   * The `https:` URL that receives the events, at most 2048 characters. Required, except with the format `email`,
   * which has none.
   */
  readonly url?: string | undefined
  /** Ids of members who get the emails, 1 to 20. Required with the format `email`, and only with it. */
  readonly recipients?: ReadonlyArray<string> | undefined
  /**
   * `first_match` sends each person once, `every_update` also sends every session and change. `company_seen` sends
   * companies that visit. `page_viewed` sends whoever views a page, identified or not. `entered_segment` and
   * `left_segment` send people, or companies, as they enter or leave the segment. Default `first_match`.
   */
  readonly trigger?: VisitorWebhookTrigger | undefined
  /**
   * Send only views of pages under this path, such as `/pricing`. Null sends every page. Only with the trigger
   * `page_viewed`.
   */
  readonly path?: string | null | undefined
  /**
   * Send a page view only once the page was visible for this many seconds, 0 to 600. Default 0. Only with the trigger
   * `page_viewed`.
   */
  readonly minSeconds?: number | null | undefined
  /**
   * Send only visitors, or visits of companies, in this segment. Null sends all. `first_match` and `every_update`
   * take a segment of people, `company_seen` one of companies, the others either. Required with `entered_segment` and
   * `left_segment`.
   */
  readonly segmentId?: string | null | undefined
  /**
   * Send only people or companies in this list. Null sends all. Only with the triggers `page_viewed` and
   * `company_seen`, which takes a list of companies.
   */
  readonly listId?: string | null | undefined
  /**
   * `identified` sends only people, `anonymous` only visits of companies by people who are not identified. Default
   * `any`. Only with the trigger `page_viewed`.
   */
  readonly identified?: VisitorWebhookIdentified | null | undefined
  /**
   * When the same person or company is sent again: in `every_session`, after `1h`, `24h` or `7d`, or never (`once`).
   * Default `every_session`, and `7d` with the trigger `company_seen`. Only with these two triggers.
   */
  readonly again?: VisitorWebhookAgain | null | undefined
  /** Send only visitors or companies from this pixel's site. Null sends those of every pixel. */
  readonly pixelId?: string | null | undefined
  /**
   * `standard` sends signed JSON; `slack`, `teams` and `discord` send a chat message to an incoming webhook; `email`
   * sends emails to members. Default `standard`.
   */
  readonly format?: VisitorWebhookFormat | undefined
  /** How often messages are sent. Default `immediate`. Only `immediate` can be combined with the format `standard`. */
  readonly digest?: VisitorWebhookDigest | undefined
  /** Hour of a daily or weekly digest, 0 to 23, in the organization's time zone. Default 8. Null for other digests. */
  readonly digestHour?: number | null | undefined
  /** Day of a weekly digest, 1 (Monday) to 7 (Sunday). Default 1. Null for other digests. */
  readonly digestDay?: number | null | undefined
  /** Milliseconds to wait for a response. Default 10000. From 1000 to 30,000. */
  readonly timeoutMs?: number | undefined
  /** Whether events are sent. Default `active`. Setting `active` also ends `auto_disabled`. */
  readonly status?: "active" | "inactive" | undefined
}

/** Options of a rotation. */
export interface VisitorWebhookRotateParams {
  /** Hours to keep signing with the old secret too. Default 24. From 0 to 72. */
  readonly graceHours?: number | undefined
}

/** A webhook with its new secret. */
export interface VisitorWebhookWithSecret {
  /** The webhook. */
  readonly webhook: VisitorWebhook
  /** `whsec_…`. The receiver uses it to verify events. */
  readonly webhookSecret: string
}

/** The result of a test. */
export interface VisitorWebhookTest {
  /** Whether the receiver accepted the test. */
  readonly ok: boolean
  /** Status of the response; null if there was none. */
  readonly statusCode: number | null
  /** How long it took, in milliseconds. */
  readonly latencyMs: number
  /** A code such as `ENDPOINT_TIMEOUT`; null if the test succeeded. */
  readonly error: string | null
}

/** Filter and position of a delivery list. Default page size 25. */
export type WebhookDeliveryListParams = ListPosition & {
  /** Return only items with this status. */
  readonly status?: WebhookDeliveryStatus | undefined
  /** Only events about this person: the SHA-256 of any of their email addresses, in 64 lowercase hexadecimal digits. */
  readonly visitorHash?: string | undefined
}

/** One event for one webhook. */
export interface WebhookDelivery {
  /** Id of the delivery. */
  readonly id: string
  /** Id of the webhook. */
  readonly webhookId: string
  /** Name of the event. */
  readonly event:
    | "visitor.identified"
    | "visitor.updated"
    | "segment.entered"
    | "segment.left"
    | "company.identified"
    | "page.viewed"
    | "visitor.digest"
    | "company.digest"
    | "page.digest"
  /** SHA-256 of the primary email address; null if the person was erased, and for companies and digests. */
  readonly visitorHash: string | null
  /**
   * The company's domain for `company.identified` and for page views of someone who is not identified; otherwise
   * null.
   */
  readonly companyDomain: string | null
  /** `skipped`: the person or company was suppressed, held back or erased before the event was sent. */
  readonly status: WebhookDeliveryStatus
  /** Attempts so far. */
  readonly attempts: number
  /** HTTP status of the last response; null without a response. */
  readonly statusCode: number | null
  /** Why the last attempt failed, or who did not get the email; null if there is nothing to say. */
  readonly errorMessage: string | null
  /** First 1 KiB of the last response. */
  readonly responseSnippet: string | null
  /** When the next attempt is due; null if there is none. */
  readonly nextAttemptAt: string | null
  /** When the delivery was created. */
  readonly createdAt: string
  /** When the event was delivered, given up or skipped; null before that. */
  readonly completedAt: string | null
}

/** An event with the body that was sent. */
export interface WebhookDeliveryWithPayload extends WebhookDelivery {
  /** The body as it was signed; null before the first attempt and when it is no longer kept. */
  readonly payload: string | null
}

/**
 * `first_match`: once per person. `every_update`: also for new sessions and changes, at most one event a minute.
 * `company_seen`: for companies instead of people. `page_viewed`: for page views of people, and of companies whose
 * visitors are not identified. `entered_segment`, `left_segment`: for people, or companies, that enter or leave the
 * segment.
 */
export type VisitorWebhookTrigger =
  | "first_match"
  | "every_update"
  | "company_seen"
  | "page_viewed"
  | "entered_segment"
  | "left_segment"

/**
 * Whose page views are sent: those of people (`identified`), those of companies whose visitor is not identified
 * (`anonymous`), or both.
 */
export type VisitorWebhookIdentified = "any" | "identified" | "anonymous"

/** When the same person or company is sent again: in every session, after a time, or never (`once`). */
export type VisitorWebhookAgain = "every_session" | "1h" | "24h" | "7d" | "once"

/**
 * `standard`: signed JSON. `email` sends emails to members. The others send a message to an incoming webhook of
 * Slack, Teams or Discord.
 */
export type VisitorWebhookFormat = "standard" | "slack" | "teams" | "discord" | "email"

/**
 * How often messages are sent. All but `immediate` send one message with counts and the first 20 people or
 * companies.
 */
export type VisitorWebhookDigest = "immediate" | "hourly" | "daily" | "weekly"

/** Results of a webhook's events, not counting redeliveries. */
export interface VisitorWebhookStats {
  /** Sum of `succeeded` and `failed`. */
  readonly deliveries: number
  /** Delivered events. */
  readonly succeeded: number
  /** Events that were given up. */
  readonly failed: number
  /** Percent with 2 decimals; null if there are no deliveries. */
  readonly successRate: number | null
  /** Failed attempts since the last success. */
  readonly consecutiveFailures: number
  /** When an event was last delivered; null before the first. */
  readonly lastDeliveredAt: string | null
  /** When an attempt last failed; null if none did. */
  readonly lastErrorAt: string | null
  /** Why it failed; null if none did. */
  readonly lastErrorMessage: string | null
}

/** `skipped`: the person or company was suppressed, held back or erased before the event was sent. */
export type WebhookDeliveryStatus = "queued" | "succeeded" | "failed" | "skipped"
