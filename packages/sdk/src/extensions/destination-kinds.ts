// The two kinds of destinations, which the contract describes as one. spec 2.15 and 5.10

import type { AppSlug, ConnectedAccount } from "../resources/integrations.ts"

/** A destination, of either kind. */
export type Destination = WebhookDestination | AutomationDestination

/** Posts each contact to a URL, with a signature. */
export interface WebhookDestination extends DestinationFields {
  readonly destinationType: "webhook"
  readonly webhook: {
    readonly url: string
    readonly signingVersion: "v1"
    readonly eventTypes: ReadonlyArray<DestinationEventType>
    /** Limit for one request in milliseconds, from connecting to the end of the response. */
    readonly timeoutMs: number
    /** Names of the headers that its requests have besides ours. Their values are never shown. */
    readonly headers: ReadonlyArray<string>
    readonly body: WebhookBody
    /** Null unless `body` is `template`. */
    readonly template: BodyTemplate | null
  }
  readonly automation: null
}

/** Writes each contact to a list at a mailing list provider or CRM. */
export interface AutomationDestination extends DestinationFields {
  readonly destinationType: "automation"
  readonly webhook: null
  readonly automation: {
    readonly appSlug: AppSlug
    /** `disconnected` if the account was removed. */
    readonly connectedAccount: ConnectedAccount
    readonly config: AutomationConfig
  }
}

/** `needs_attention`: deliveries stopped because of a problem that you must fix (see `stats.lastErrorCode`). */
export type DestinationStatus = "draft" | "active" | "paused" | "needs_attention"

/** `valid_or_catchall`: only contacts with a `valid` or `catch_all` address. */
export type ValidationPolicy = "none" | "valid_or_catchall"

/** The events that a webhook can subscribe to. */
export type DestinationEventType =
  | "intent.audience.sync.started"
  | "intent.audience.contact.upserted"
  | "intent.audience.contact.removed"
  | "intent.audience.sync.completed"

/** `standard`: events as they are. `cloudevents`: as CloudEvents 1.0. `template`: contacts as `template` says. */
export type WebhookBody = "standard" | "cloudevents" | "template"

/** A JSON object whose texts have placeholders such as `{{contact.email}}`, the paths of a contact event's `data`. */
export type BodyTemplate = Readonly<Record<string, unknown>>

/** A contact attribute that can be written to a list field. */
export type MappedAttribute =
  | "firstName"
  | "lastName"
  | "fullName"
  | "jobTitle"
  | "headline"
  | "seniority"
  | "department"
  | "linkedinUrl"
  | "company.name"
  | "company.domain"
  | "company.industry"
  | "company.industryGroup"
  | "company.revenueRange"
  | "company.linkedinUrl"
  | "geo.city"
  | "geo.state"
  | "geo.country"
  | "intent.score"
  | "intent.topicOverlap"
  | "intent.matchedTopics"

/** What to write to the list. */
export interface AutomationConfig {
  readonly listId: string
  readonly listName?: string
  readonly emailSource: "email"
  /** Null: the list's own opt-in. */
  readonly newContactStatus: "SUBSCRIBED" | null
  /** Maps list fields to contact attributes. */
  readonly fieldMapping: Readonly<Record<string, MappedAttribute>>
  /** Tags for each contact. Footfall adds the tag `audience:` plus the first 8 characters of the audience's id. */
  readonly tags: ReadonlyArray<string>
  /** What happens at the service to people who leave the audience. */
  readonly onLeave: OnLeave
  /** Whether people who are erased here are deleted at the service too, if this destination added them. */
  readonly eraseAtProvider: boolean
}

/**
 * `keep`: they stay on the list. `remove_tag`: they lose the audience's tag. `remove_from_list`: they leave the list, if
 * this destination added them. Each service offers some of these (`integrations.list`).
 */
export type OnLeave = "keep" | "remove_tag" | "remove_from_list"

/** Attempts that failed since the last success, and the last one's error. */
export interface DestinationRetrying {
  readonly count: number
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly at: string | null
}

/** Totals of all deliveries to a destination. */
export interface DestinationStats {
  readonly totalSynced: number
  readonly totalSkipped: number
  readonly totalFailed: number
  /** People who left the audience, or were suppressed, and whose removal the receiver acknowledged. */
  readonly totalRemoved: number
  /** Contacts that have failed since the last successful delivery of one. */
  readonly consecutiveErrors: number
  readonly lastDeliveredAt: string | null
  readonly lastErrorCode: string | null
  readonly lastErrorMessage: string | null
  readonly lastErrorAt: string | null
}

interface DestinationFields {
  readonly id: string
  readonly organizationId: string
  readonly audienceId: string
  /** 1 to 160 characters. */
  readonly name: string
  readonly status: DestinationStatus
  readonly validationPolicy: ValidationPolicy
  /** Incremented by every change, except a change of status. */
  readonly configRevision: number
  /** Null for a draft. Activating the destination approves its configuration. */
  readonly approvedConfigHash: string | null
  readonly lastSuccessfulRunId: string | null
  readonly initialSyncCompletedAt: string | null
  readonly stats: DestinationStats
  /** Null unless it is active and the last attempt failed. */
  readonly retrying: DestinationRetrying | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A new destination, of either kind. */
export type DestinationCreateParams =
  | WebhookDestinationCreateParams
  | AutomationDestinationCreateParams

export interface WebhookDestinationCreateParams {
  readonly destinationType: "webhook"
  /** 1 to 160 characters. */
  readonly name: string
  /** `https:`, at most 2048 characters, without a user name. */
  readonly url: string
  /** 1 to 4 event types, in any order. */
  readonly eventTypes: ReadonlyArray<DestinationEventType>
  /** Milliseconds, 1000 to 30000. Default: 10000. */
  readonly timeoutMs?: number | undefined
  /** Headers of each request, at most 20. Stored encrypted, and never shown. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: `standard`. */
  readonly body?: WebhookBody | undefined
  /** With `body: "template"` only. */
  readonly template?: BodyTemplate | undefined
  /** Default: `none`. */
  readonly validationPolicy?: ValidationPolicy | undefined
}

export interface AutomationDestinationCreateParams {
  readonly destinationType: "automation"
  /** 1 to 160 characters. */
  readonly name: string
  readonly appSlug: AppSlug
  /** Id of a healthy account. */
  readonly connectedAccountId: string
  readonly config: AutomationConfigParams
  /** Default: `valid_or_catchall`. */
  readonly validationPolicy?: ValidationPolicy | undefined
}

export interface AutomationConfigParams {
  /** 1 to 200 characters. */
  readonly listId: string
  /** At most 200 characters. */
  readonly listName?: string | undefined
  /** Default: `email`. */
  readonly emailSource?: "email" | undefined
  /** Null: the list's own opt-in. Default: null; `SUBSCRIBED` for `mailer`. */
  readonly newContactStatus?: "SUBSCRIBED" | null | undefined
  /** Maps list fields to contact attributes, at most 200 fields. Default: none. */
  readonly fieldMapping?: Readonly<Record<string, MappedAttribute>> | undefined
  /** At most 19 tags of 1 to 100 characters. Default: none. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Default: `keep`. */
  readonly onLeave?: OnLeave | undefined
  /** Default: false. */
  readonly eraseAtProvider?: boolean | undefined
}
