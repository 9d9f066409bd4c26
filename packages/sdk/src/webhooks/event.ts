// The events that Footfall sends to webhooks: those of a destination and those of a visitor webhook. `event` holds the
// type. Events of unknown types verify too, so give a `switch` a default.
import type { LegacyVisitorFields } from "../extensions/visitors.ts"
import type { Company } from "../resources/companies.ts"
import type { Visitor } from "../resources/visitors.ts"
import type { IntentEvent } from "./intent-event.ts"

// Events of a visitor webhook. They all have the same shape: the visitor's canonical fields, or the company's fields,
// at the top level, except page views and segments. Counts cover the whole history. Source: spec 8.5 to 8.7, 13.3.5.

export type VisitorEvent =
  | VisitorIdentified
  | VisitorUpdated
  | CompanyIdentified
  | PageViewed
  | SegmentEntered
  | SegmentLeft
  | WebhookTest

/** A person was identified and matches for the first time. */
export type VisitorIdentified = Envelope<"visitor.identified">

/** An identified person has a new session or a changed profile. Sent only with the trigger `every_update`. */
export type VisitorUpdated = Envelope<"visitor.updated">

/** A company visited, for the first time or again. Sent only with the trigger `company_seen`. */
export type CompanyIdentified = CompanyEnvelope<"company.identified">

/** A page was viewed, at most once per session. Sent only with the trigger `page_viewed`. */
export type PageViewed = PageEnvelope<"page.viewed">

/** A person or company entered the webhook's segment. Sent only with the trigger `entered_segment`. */
export type SegmentEntered = SegmentEnvelope<"segment.entered">

/** A person or company left the webhook's segment. Sent only with the trigger `left_segment`. */
export type SegmentLeft = SegmentEnvelope<"segment.left">

/** A test event with a sample visitor, company or page view, as the trigger sends. */
export type WebhookTest = (
  | Envelope<"webhook.test">
  | CompanyEnvelope<"webhook.test">
  | PageEnvelope<"webhook.test">
  | SegmentEnvelope<"webhook.test">
) & {
  readonly test: true
}

/** Without legacy names and without `suppressed`: suppressed people trigger no events. */
export type WebhookVisitor = Omit<
  Visitor,
  keyof LegacyVisitorFields | "owner" | "score" | "suppressed" | "tags"
>

/** Without `suppressed`: suppressed companies trigger no events. */
export type WebhookCompany = Omit<
  Company,
  "owner" | "score" | "suppressed" | "suppressedPeopleCount" | "tags"
>

type Envelope<Event extends string> = WebhookVisitor &
  EventFields<Event, "first_match" | "every_update">

type CompanyEnvelope<Event extends string> = WebhookCompany &
  EventFields<Event, "company_seen"> & { readonly segment: null }

type PageEnvelope<Event extends string> = EventFields<Event, "page_viewed"> & {
  readonly page: {
    /** Without query. */
    readonly path: string
    readonly title: string | null
    /** Null if it is not known yet. */
    readonly secondsVisible: number | null
  }
  /** Null for a visit of someone who is not identified. */
  readonly visitor: WebhookVisitor | null
  /** The visitor's company, or the one whose network the visit came from. */
  readonly company: WebhookCompany | null
  /** Of the visitor, or of the company of an anonymous visit. Null if it is not known yet. */
  readonly score: Visitor["score"]
  /** The webhook's list. */
  readonly list: { readonly id: string; readonly name: string } | null
}

type SegmentEnvelope<Event extends string> = EventFields<
  Event,
  "entered_segment" | "left_segment"
> & {
  /** Null for a segment of companies. */
  readonly visitor: WebhookVisitor | null
  /** Null for a segment of people. */
  readonly company: WebhookCompany | null
}

type EventFields<Event extends string, Trigger extends string> = {
  /** The same as `webhook-id`. It stays the same on every attempt and redelivery. */
  readonly id: string
  readonly event: Event
  readonly timestamp: string
  readonly trigger: Trigger
  readonly organizationId: string
  readonly segment: { readonly id: string; readonly name: string } | null
  /** The pixel that saw the visitor or company. */
  readonly pixel: { readonly id: string; readonly domain: string }
  readonly test?: true
}

export type WebhookEvent = IntentEvent | VisitorEvent

export type WebhookEventName = WebhookEvent["event"]
