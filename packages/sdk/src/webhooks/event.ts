// What a webhook of Footfall carries: an event of a destination, or one of a visitor webhook. `event`
// tells which. A kind that this version does not know verifies too, so let a switch have a default.
import type { Company } from "../resources/companies.ts"
import type { LegacyVisitorFields, Visitor } from "../resources/visitors.ts"
import type { IntentEvent } from "./intent-event.ts"

// Events of a visitor webhook: one shape for all of them, with the canonical fields of the visitor, or the fields of
// the company, at top level, counted over the whole history. Source: spec 8.5, 13.3.5.

export type VisitorEvent = VisitorIdentified | VisitorUpdated | CompanyIdentified | WebhookTest

/** A person is identified and matches for the first time. */
export type VisitorIdentified = Envelope<"visitor.identified">

/** That person has a new session or a changed profile. Only with trigger `every_update`. */
export type VisitorUpdated = Envelope<"visitor.updated">

/** A company visits, for the first time or again after 7 days. Only with trigger `company_seen`. */
export type CompanyIdentified = CompanyEnvelope<"company.identified">

/** A test event with a sample visitor; with trigger `company_seen`, with a sample company. */
export type WebhookTest = (Envelope<"webhook.test"> | CompanyEnvelope<"webhook.test">) & {
  readonly test: true
}

/** No legacy names and no `suppressed`: suppressed people trigger nothing. */
export type WebhookVisitor = Omit<Visitor, keyof LegacyVisitorFields | "suppressed">

/** No `suppressed`: suppressed companies trigger nothing. */
export type WebhookCompany = Omit<Company, "suppressed">

type Envelope<Event extends string> = WebhookVisitor &
  EventFields<Event, "first_match" | "every_update">

type CompanyEnvelope<Event extends string> = WebhookCompany &
  EventFields<Event, "company_seen"> & { readonly segment: null }

type EventFields<Event extends string, Trigger extends string> = {
  /** The same as `webhook-id`, on every attempt and after a redelivery. */
  readonly id: string
  readonly event: Event
  readonly timestamp: string
  readonly trigger: Trigger
  readonly organizationId: string
  readonly segment: { readonly id: string; readonly name: string } | null
  /** The pixel that saw the visitor or the company. */
  readonly pixel: { readonly id: string; readonly domain: string }
  readonly test?: true
}

export type WebhookEvent = IntentEvent | VisitorEvent

export type WebhookEventName = WebhookEvent["event"]
