// What destinations are made of and changed by. Source: spec 5.10.

import type {
  Destination,
  DestinationEventType,
  MappedAttribute,
  ValidationPolicy,
} from "./destination.ts"

/** What a new destination is made of. */
export type DestinationCreateParams =
  | WebhookDestinationCreateParams
  | AutomationDestinationCreateParams

export interface WebhookDestinationCreateParams {
  readonly destinationType: "webhook"
  /** 1 to 160 characters. */
  readonly name: string
  /** `https:`, at most 2048 characters, without user name. */
  readonly url: string
  /** 1 to 3 different kinds, in any order. */
  readonly eventTypes: ReadonlyArray<DestinationEventType>
  /** 1000 to 30000. Default: 10000. */
  readonly timeoutMs?: number | undefined
  /** Default: `none`. */
  readonly validationPolicy?: ValidationPolicy | undefined
}

export interface AutomationDestinationCreateParams {
  readonly destinationType: "automation"
  /** 1 to 160 characters. */
  readonly name: string
  readonly appSlug: "mailer"
  /** Of a healthy account. */
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
  /** Field of the list to attribute of the contact; at most 200 fields. Default: none. */
  readonly fieldMapping?: Readonly<Record<string, MappedAttribute>> | undefined
  /** At most 19, of 1 to 100 characters. Default: none. */
  readonly tags?: ReadonlyArray<string> | undefined
}

/**
 * What changes; what is left out stays. A change of `url`, `eventTypes` or `config` makes a draft, also of
 * an active destination; with `status: "active"` beside it the change is approved at once.
 */
export interface DestinationUpdateParams {
  readonly name?: string | undefined
  readonly status?: "active" | "paused" | undefined
  readonly validationPolicy?: ValidationPolicy | undefined
  /** Of a webhook. */
  readonly url?: string | undefined
  /** Of a webhook. */
  readonly eventTypes?: ReadonlyArray<DestinationEventType> | undefined
  /** Of a webhook. */
  readonly timeoutMs?: number | undefined
  /** Of an automation; replaces the whole of it. */
  readonly config?: AutomationConfigParams | undefined
}

/** A destination and its secret, which no other answer holds. */
export interface DestinationWithSecret {
  readonly destination: Destination
  /** `whsec_…`, to verify webhooks with; null for the automation kind. */
  readonly webhookSecret: string | null
}

/** How long the former secret signs beside the new one. */
export interface SecretRotateParams {
  /** 0 to 72. Default: 24. */
  readonly graceHours?: number | undefined
}

/** Which event a test sends. */
export interface DestinationTestParams {
  /** Default: the first that is subscribed. */
  readonly eventType?: DestinationEventType | undefined
}

/** What a test has shown. */
export interface DestinationTest {
  readonly ok: boolean
  /** Of the answer; null when there was none. */
  readonly statusCode: number | null
  readonly latencyMs: number
  /** An error code of deliveries, such as `ENDPOINT_TIMEOUT`; null when it is ok. */
  readonly error: string | null
}
