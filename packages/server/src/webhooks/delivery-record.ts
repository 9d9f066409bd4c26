// What is kept of one event for one webhook: its state, and the last answer (spec 2.20, 4.6).
import { Schema } from "effect"

export const DeliveryStatus = Schema.Literals(["queued", "succeeded", "failed", "skipped"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const VisitorEvent = Schema.Literals(["visitor.identified", "visitor.updated"])
export type VisitorEvent = typeof VisitorEvent.Type

export class DeliveryRecord extends Schema.Opaque<DeliveryRecord>()(
  Schema.Struct({
    id: Schema.String,
    webhookId: Schema.String,
    /** A digest is one message about several people or companies, and has neither of them. */ // spec 14.4
    event: Schema.Literals([
      ...VisitorEvent.literals,
      "company.identified",
      "visitor.digest",
      "company.digest",
    ]),
    /** Null once the person was erased, and for a company. */
    visitorHash: Schema.NullOr(Schema.String),
    /** Of `company.identified`; null once the company is gone because a person was erased. */ // spec 13.3.5
    companyDomain: Schema.NullOr(Schema.String),
    status: DeliveryStatus,
    /** Every attempt, redelivery and those that a crash swallowed included. */
    attempts: Schema.Int,
    /** Of the last answer; null when there was none. */
    statusCode: Schema.NullOr(Schema.Int),
    errorMessage: Schema.NullOr(Schema.String),
    /** First 1 KiB of the last answer's body. */
    responseSnippet: Schema.NullOr(Schema.String),
    /** Null during an attempt, and if there is no next one. */
    nextAttemptAt: Schema.NullOr(Schema.String),
    createdAt: Schema.String,
    completedAt: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "WebhookDelivery" }),
) {}
