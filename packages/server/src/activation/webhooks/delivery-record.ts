// The stored record of one event for one webhook: its status and the last response (spec 2.20, 4.6).
import { Schema } from "effect"

export const DeliveryStatus = Schema.Literals(["queued", "succeeded", "failed", "skipped"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const VisitorEvent = Schema.Literals([
  "visitor.identified",
  "visitor.updated",
  "segment.entered",
  "segment.left",
])
export type VisitorEvent = typeof VisitorEvent.Type

/** The page of a page view that an alert sends. */ // spec 8.6.2
export interface SeenPage {
  /** Without query, at most 512 characters. */
  readonly path: string
  readonly title: string | null
  /** Null if it is not known yet. */
  readonly secondsVisible: number | null
}

export class DeliveryRecord extends Schema.Opaque<DeliveryRecord>()(
  Schema.Struct({
    id: Schema.String,
    webhookId: Schema.String,
    /**
     * Both `visitorHash` and `companyDomain` are null for a digest, which covers several people or companies.
     */ // spec 14.4
    event: Schema.Literals([
      ...VisitorEvent.literals,
      "company.identified",
      "page.viewed",
      "visitor.digest",
      "company.digest",
      "page.digest",
    ]),
    /** Null for a company, and after the person is erased. */
    visitorHash: Schema.NullOr(Schema.String),
    /**
     * Set for a company, and for an anonymous page view. Null after erasing a person removed the company.
     */ // spec 13.3.5
    companyDomain: Schema.NullOr(Schema.String),
    status: DeliveryStatus,
    /** Every attempt, including redeliveries and attempts that ended with a crash. */
    attempts: Schema.Int,
    /** Status of the last response; null without one. */
    statusCode: Schema.NullOr(Schema.Int),
    errorMessage: Schema.NullOr(Schema.String),
    /** First 1 KiB of the last response body. */
    responseSnippet: Schema.NullOr(Schema.String),
    /** Null during an attempt, and when no attempt follows. */
    nextAttemptAt: Schema.NullOr(Schema.String),
    createdAt: Schema.String,
    completedAt: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "WebhookDelivery" }),
) {}

export class DeliveryWithPayload extends Schema.Opaque<DeliveryWithPayload>()(
  Schema.Struct({
    ...DeliveryRecord.fields,
    /** The exact body that was signed. Null before the first attempt and once it is no longer stored. */
    payload: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "WebhookDeliveryWithPayload" }),
) {}
