// Events of a visitor webhook: one shape for all of them, with the canonical fields of the visitor at top
// level, counted over the whole history. Source: spec 8.5.

import type { LegacyVisitorFields, Visitor } from "../resources/visitors.ts"

export type VisitorEvent = VisitorIdentified | VisitorUpdated | WebhookTest

/** A person is identified and matches for the first time. */
export type VisitorIdentified = Envelope<"visitor.identified">

/** That person has a new session or a changed profile. Only with trigger `every_update`. */
export type VisitorUpdated = Envelope<"visitor.updated">

/** A test event with a sample visitor. */
export type WebhookTest = Envelope<"webhook.test"> & { readonly test: true }

/** No legacy names and no `suppressed`: suppressed people trigger nothing. */
export type WebhookVisitor = Omit<Visitor, keyof LegacyVisitorFields | "suppressed">

type Envelope<Event extends string> = WebhookVisitor & {
  /** The same as `webhook-id`, on every attempt and after a redelivery. */
  readonly id: string
  readonly event: Event
  readonly timestamp: string
  readonly trigger: "first_match" | "every_update"
  readonly organizationId: string
  readonly segment: { readonly id: string; readonly name: string } | null
  /** The pixel that saw the visitor. */
  readonly pixel: { readonly id: string; readonly domain: string }
  readonly test?: true
}
