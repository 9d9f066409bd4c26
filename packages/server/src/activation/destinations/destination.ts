// A destination of an audience, as a value: its configuration, and the hash by which a configuration is approved (spec
// 2.15).
import { canonicalHash } from "../../platform/http/canonical.ts"
import type { AddressRateLimitGroup } from "../../platform/http/rate-limit.ts"
import type { AutomationConfig } from "./connectors/automation-config.ts"
import type { AppSlug } from "./connectors/connectors.ts"

export const destinationTypes = ["webhook", "automation"] as const
export type DestinationType = (typeof destinationTypes)[number]

export const destinationStatuses = ["draft", "active", "paused", "needs_attention"] as const
export type DestinationStatus = (typeof destinationStatuses)[number]

/** `valid_or_catchall` keeps contacts whose address is `valid` or `catch_all`. */
export const validationPolicies = ["none", "valid_or_catchall"] as const
export type ValidationPolicy = (typeof validationPolicies)[number]

/** In the order they are stored and returned. */ // spec 8.3
export const eventTypes = [
  "intent.audience.sync.started",
  "intent.audience.contact.upserted",
  "intent.audience.contact.removed",
  "intent.audience.sync.completed",
] as const
export type EventType = (typeof eventTypes)[number]

/** How the body of a webhook's requests is written. */ // spec 8.2
export const bodyKinds = ["standard", "cloudevents", "template"] as const
export type BodyKind = (typeof bodyKinds)[number]

/** What was left at its default is absent, so that a configuration approved before 0.3 is still approved. */
export interface WebhookDestinationConfig {
  readonly destinationType: "webhook"
  readonly url: string
  /** Deduplicated, in the order of `eventTypes`. */
  readonly eventTypes: ReadonlyArray<EventType>
  /** Needs no approval. */
  readonly timeoutMs: number
  /** A keyed hash of each value, by lower-case name. The values are sealed (webhook-headers.ts). */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Exclude<BodyKind, "standard">
  /** The JSON text of `body: "template"`, with the keys in the order that they were sent in. */
  readonly template?: string
}

export interface AutomationDestinationConfig {
  readonly destinationType: "automation"
  readonly appSlug: AppSlug
  readonly connectedAccountId: string
  readonly config: AutomationConfig
}

export type DestinationConfig = WebhookDestinationConfig | AutomationDestinationConfig

// spec 10.3
export const destinationsPerAudienceMax = 20

/** Units: milliseconds. */ // spec 5.10.1
export const timeoutMsDefault = 10_000

/** Each type once, in the stored order, so the order in a request does not matter. */ // spec 2.15.2
export const orderedEventTypes = (given: ReadonlyArray<EventType>): ReadonlyArray<EventType> =>
  eventTypes.filter((type) => given.includes(type))

// spec 2.15
export const validationPolicyDefault = (type: DestinationType): ValidationPolicy =>
  type === "webhook" ? "none" : "valid_or_catchall"

/** The settings that activation approves, in the form that is hashed. */
export const approvedForm = (config: DestinationConfig): object =>
  config.destinationType === "webhook"
    ? {
        destinationType: config.destinationType,
        url: config.url,
        eventTypes: config.eventTypes.toSorted(),
        ...(config.headers === undefined ? {} : { headers: config.headers }),
        ...(config.body === undefined ? {} : { body: config.body }),
        ...(config.template === undefined ? {} : { template: JSON.parse(config.template) }),
      }
    : {
        destinationType: config.destinationType,
        appSlug: config.appSlug,
        connectedAccountId: config.connectedAccountId,
        config: approvedAutomation(config.config),
      }

/** Defaults that configurations before 0.3 didn't have are left out, so that these stay approved. */ // spec 2.15.1
const approvedAutomation = ({ eraseAtProvider, onLeave, ...config }: AutomationConfig): object => ({
  ...config,
  ...(onLeave === "keep" ? {} : { onLeave }),
  ...(eraseAtProvider ? { eraseAtProvider } : {}),
})

/** SHA-256 of the RFC 8785 form of what is approved, in lower-case hex. */ // spec 2.15, 12.11
export const configHash = (config: DestinationConfig): string => canonicalHash(approvedForm(config))

// The limit per source address that destinations, deliveries and integrations share (spec 10.2).

export const destinationsLimit: AddressRateLimitGroup = {
  name: "destinations",
  limit: 120,
  countsUnauthorized: false,
}
