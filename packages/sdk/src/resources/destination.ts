// A place that an audience is delivered to: a webhook, or a mailing list of a connected account.
// `destinationType` tells which. Source: spec 2.15 and 5.10.

import type { ConnectedAccount } from "./connected-account.ts"

/** One destination, of either kind. */
export type Destination = WebhookDestination | AutomationDestination

/** Each contact is posted to an address, signed. */
export interface WebhookDestination extends DestinationFields {
  readonly destinationType: "webhook"
  readonly webhook: {
    readonly url: string
    readonly signingVersion: "v1"
    readonly eventTypes: ReadonlyArray<DestinationEventType>
    /** For one request, from connecting to the end of its answer. */
    readonly timeoutMs: number
  }
  readonly automation: null
}

/** Each contact is written to a mailing list. */
export interface AutomationDestination extends DestinationFields {
  readonly destinationType: "automation"
  readonly webhook: null
  readonly automation: {
    readonly appSlug: "mailer"
    /** A removed one is `disconnected`. */
    readonly connectedAccount: ConnectedAccount
    readonly config: AutomationConfig
  }
}

/**
 * `needs_attention`: deliveries stopped for a reason that only its owner can remove (`stats.lastErrorCode`).
 */
export type DestinationStatus = "draft" | "active" | "paused" | "needs_attention"

/** `valid_or_catchall`: contacts whose address is `valid` or `catch_all`. */
export type ValidationPolicy = "none" | "valid_or_catchall"

/** What a webhook can be told of. */
export type DestinationEventType =
  | "intent.audience.sync.started"
  | "intent.audience.contact.upserted"
  | "intent.audience.sync.completed"

/** What of a contact can be written to a field of a list. */
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

/** What is written to the list. */
export interface AutomationConfig {
  readonly listId: string
  readonly listName?: string
  readonly emailSource: "email"
  readonly newContactStatus: "SUBSCRIBED"
  /** Field of the list to attribute of the contact. */
  readonly fieldMapping: Readonly<Record<string, MappedAttribute>>
  /** Beside them every contact gets `audience:` and the first 8 characters of the audience's id. */
  readonly tags: ReadonlyArray<string>
}

/** What deliveries have done. */
export interface DestinationStats {
  readonly totalSynced: number
  readonly totalSkipped: number
  readonly totalFailed: number
  /** Contacts that failed since the last that arrived. */
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
  /** Grows with every change of anything but the status. */
  readonly configRevision: number
  /** Null in a draft: activation approves the configuration. */
  readonly approvedConfigHash: string | null
  readonly lastSuccessfulRunId: string | null
  readonly initialSyncCompletedAt: string | null
  readonly stats: DestinationStats
  readonly createdAt: string
  readonly updatedAt: string
}
