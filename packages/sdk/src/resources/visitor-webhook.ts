// A visitor webhook: an address that is told of people as they are identified, and what was sent to it.
// Source: spec 2.20, 5.6 and 8.5.

/** `first_match`: once per person. `every_update`: new sessions and changes too, at most one a minute. */
export type VisitorWebhookTrigger = "first_match" | "every_update"

/** A registered webhook; its secret is no part of it. */
export interface VisitorWebhook {
  readonly id: string
  readonly organizationId: string
  /** 1 to 160 characters. */
  readonly name: string
  readonly url: string
  readonly trigger: VisitorWebhookTrigger
  /** Only people in this segment; null: everybody. */
  readonly segmentId: string | null
  /** Only what this pixel sees; null: all of them. */
  readonly pixelId: string | null
  /** The pixel was deleted: the webhook never fires until it has another pixel, or none. */
  readonly pixelDeleted: boolean
  /** `auto_disabled` is set by the server when the receiver keeps failing. */
  readonly status: "active" | "inactive" | "auto_disabled"
  readonly signingVersion: "v1"
  /** 1000 to 30000. */
  readonly timeoutMs: number
  readonly stats: VisitorWebhookStats
  readonly createdAt: string
  readonly updatedAt: string
}

/** How the events of a webhook ended. Redelivery counts nowhere. */
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

/** What a new webhook is made of. */
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

/** What changes; what is left out stays. `active` also ends `auto_disabled`. */
export type VisitorWebhookUpdateParams = {
  readonly [Name in keyof VisitorWebhookCreateParams]?: VisitorWebhookCreateParams[Name] | undefined
}

/** Of a rotation. */
export interface VisitorWebhookRotateParams {
  /** Hours the former secret signs too, 0 to 72, default 24. */
  readonly graceHours?: number | undefined
}

/** The only answers that hold the secret. */
export interface VisitorWebhookWithSecret {
  readonly webhook: VisitorWebhook
  /** `whsec_…`; keep it where the receiver finds it. */
  readonly webhookSecret: string
}

/** What came of a test call. */
export interface VisitorWebhookTest {
  /** Whether the answer was any 2xx. */
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
  /** First 1 KiB of the last answer. */
  readonly responseSnippet: string | null
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly completedAt: string | null
}

/** Which deliveries, and where reading them starts. */
export type WebhookDeliveryListParams = {
  readonly status?: WebhookDeliveryStatus | undefined
  /** Rows to a page, 1 to 100, default 25. */
  readonly limit?: number | undefined
} & (
  | { readonly offset?: number | undefined; readonly cursor?: undefined }
  | { readonly offset?: undefined; readonly cursor?: string | undefined }
)
