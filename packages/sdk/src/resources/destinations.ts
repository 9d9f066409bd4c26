// Destinations of an audience: a webhook, or a mailing list in a connected account. `destinationType` says which.
// spec 2.15 and 5.10

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"
import type { ConnectedAccount } from "./integrations.ts"

/**
 * `footfall.destinations`. Accepts an API key or an access token. `rotateSecret` needs an access token. A viewer's
 * token can only read.
 */
export class Destinations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists an audience's destinations, newest first; at most 20. Errors: NotFoundError. */
  list(audienceId: string, options: RequestOptions = {}): ApiCall<ReadonlyArray<Destination>> {
    return this.#transport
      .get<{
        readonly destinations: ReadonlyArray<Destination>
      }>(path`/v1/intent/audiences/${audienceId}/destinations`, { credentials: "either", options })
      .map(({ destinations }) => destinations)
  }

  /**
   * Creates a destination as a draft. Only this response includes a webhook's secret. Errors: NotFoundError for the
   * audience or the account; BadRequestError; ConflictError: `ACCOUNT_UNHEALTHY`, `CONFLICT` for the 21st destination;
   * ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  create(
    audienceId: string,
    params: DestinationCreateParams,
    options: CreateOptions = {},
  ): ApiCall<DestinationWithSecret> {
    return this.#transport.create(path`/v1/intent/audiences/${audienceId}/destinations`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Gets a destination. Errors: NotFoundError. */
  get(
    audienceId: string,
    destinationId: string,
    options: RequestOptions = {},
  ): ApiCall<Destination> {
    return this.#one("GET", audienceId, destinationId, { options })
  }

  /**
   * Updates the given fields; also activates or pauses a destination. Errors: NotFoundError; BadRequestError (the URL
   * is not allowed, the list is unknown); ConflictError: `INVALID_TRANSITION`, `ACCOUNT_UNHEALTHY`.
   */
  update(
    audienceId: string,
    destinationId: string,
    params: DestinationUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Destination> {
    return this.#one("PATCH", audienceId, destinationId, { body: params, options })
  }

  /** Deletes a destination and cancels its queued deliveries. Errors: NotFoundError. */
  delete(
    audienceId: string,
    destinationId: string,
    options: RequestOptions = {},
  ): ApiCall<Deleted> {
    return this.#transport.delete(
      path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}`,
      { credentials: "either", options },
    )
  }

  /** Creates a new secret. Only this response includes it. Errors: NotFoundError; ConflictError for an automation. */
  rotateSecret(
    audienceId: string,
    destinationId: string,
    params: SecretRotateParams = {},
    options: RequestOptions = {},
  ): ApiCall<DestinationWithSecret> {
    return this.#transport.post(
      path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/rotate-secret`,
      { body: params, credentials: "accessToken", options },
    )
  }

  /**
   * Sends one sample event to a webhook and waits for the response. For an automation, checks the account and the list,
   * and writes nothing. A failed test is a result, not an error. Errors: NotFoundError.
   */
  test(
    audienceId: string,
    destinationId: string,
    params: DestinationTestParams = {},
    options: RequestOptions = {},
  ): ApiCall<DestinationTest> {
    return this.#transport.post(
      path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/test`,
      { body: params, credentials: "either", options },
    )
  }

  #one(
    method: ApiRequest["method"],
    audienceId: string,
    destinationId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): ApiCall<Destination> {
    return this.#transport
      .requestData<{
        readonly destination: Destination
      }>({
        method,
        path: path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}`,
        credentials: "either",
        ...call,
      })
      .map(({ destination }) => destination)
  }
}

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
  }
  readonly automation: null
}

/** Writes each contact to a mailing list. */
export interface AutomationDestination extends DestinationFields {
  readonly destinationType: "automation"
  readonly webhook: null
  readonly automation: {
    readonly appSlug: "mailer"
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
  | "intent.audience.sync.completed"

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
  readonly newContactStatus: "SUBSCRIBED"
  /** Maps list fields to contact attributes. */
  readonly fieldMapping: Readonly<Record<string, MappedAttribute>>
  /** Tags for each contact. Footfall adds the tag `audience:` plus the first 8 characters of the audience's id. */
  readonly tags: ReadonlyArray<string>
}

/** Totals of all deliveries to a destination. */
export interface DestinationStats {
  readonly totalSynced: number
  readonly totalSkipped: number
  readonly totalFailed: number
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
  /** 1 to 3 event types, in any order. */
  readonly eventTypes: ReadonlyArray<DestinationEventType>
  /** Milliseconds, 1000 to 30000. Default: 10000. */
  readonly timeoutMs?: number | undefined
  /** Default: `none`. */
  readonly validationPolicy?: ValidationPolicy | undefined
}

export interface AutomationDestinationCreateParams {
  readonly destinationType: "automation"
  /** 1 to 160 characters. */
  readonly name: string
  readonly appSlug: "mailer"
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
  /** Default: `SUBSCRIBED`. */
  readonly newContactStatus?: "SUBSCRIBED" | undefined
  /** Maps list fields to contact attributes, at most 200 fields. Default: none. */
  readonly fieldMapping?: Readonly<Record<string, MappedAttribute>> | undefined
  /** At most 19 tags of 1 to 100 characters. Default: none. */
  readonly tags?: ReadonlyArray<string> | undefined
}

/**
 * Fields to change. Omitted fields keep their values. Changing `url`, `eventTypes` or `config` turns even an active
 * destination into a draft. Set `status: "active"` in the same update to approve the change immediately.
 */
export interface DestinationUpdateParams {
  readonly name?: string | undefined
  readonly status?: "active" | "paused" | undefined
  readonly validationPolicy?: ValidationPolicy | undefined
  /** Webhook only. */
  readonly url?: string | undefined
  /** Webhook only. */
  readonly eventTypes?: ReadonlyArray<DestinationEventType> | undefined
  /** Webhook only. */
  readonly timeoutMs?: number | undefined
  /** Automation only. Replaces the whole configuration. */
  readonly config?: AutomationConfigParams | undefined
}

/** A destination with its secret. No other response includes the secret. */
export interface DestinationWithSecret {
  readonly destination: Destination
  /** `whsec_…`, for verifying webhooks; null for an automation. */
  readonly webhookSecret: string | null
}

/** How long the previous secret stays valid. */
export interface SecretRotateParams {
  /** 0 to 72. Default: 24. */
  readonly graceHours?: number | undefined
}

/** The event to send as a test. */
export interface DestinationTestParams {
  /** Default: the destination's first event type. */
  readonly eventType?: DestinationEventType | undefined
}

/** The result of a test. */
export interface DestinationTest {
  readonly ok: boolean
  /** Status of the response; null if there was none. */
  readonly statusCode: number | null
  readonly latencyMs: number
  /** A `DeliveryErrorCode` such as `ENDPOINT_TIMEOUT`; null if the test succeeded. */
  readonly error: string | null
}
