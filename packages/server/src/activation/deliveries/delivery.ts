// A delivery of a run's contacts to one destination: the value, its failures, and its queue (spec 2.16, 4.4).
import { Schema } from "effect"
import type { Queue } from "../../platform/jobs/queue.ts"

export const deliveryStatuses = [
  "queued",
  "processing",
  "completed",
  "failed",
  "cancelled",
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const deliveryModes = ["initial", "incremental", "full_resync"] as const
export type DeliveryMode = (typeof deliveryModes)[number]

/** The modes a request may ask for; `initial` is the first delivery's. */ // spec 5.10.8
export const requestedModes = ["incremental", "full_resync"] as const
export type RequestedMode = (typeof requestedModes)[number]

// spec 2.16
export const deliveryErrorCodes = [
  "ENDPOINT_UNREACHABLE",
  "ENDPOINT_TIMEOUT",
  "ENDPOINT_ERROR",
  "ENDPOINT_RATE_LIMITED",
  "ENDPOINT_REJECTED",
  "ENDPOINT_AUTH",
  "ENDPOINT_NOT_FOUND",
  "ENDPOINT_GONE",
  "URL_BLOCKED",
  "TLS_ERROR",
  "ACCOUNT_DISCONNECTED",
  "LIST_NOT_FOUND",
  "PROVIDER_ERROR",
  "CONTACT_INVALID",
  "CONSECUTIVE_ERRORS",
  "ALL_CONTACTS_FAILED",
  "REMOVALS_NEED_APPROVAL",
  "INTERNAL_ERROR",
] as const
export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number]

const text = Schema.NullOr(Schema.String)

export class Delivery extends Schema.Opaque<Delivery>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    audienceId: Schema.String,
    destinationId: Schema.String,
    destinationConfigRevision: Schema.Int,
    sourceRunId: Schema.String,
    baselineRunId: text,
    mode: Schema.Literals(deliveryModes),
    status: Schema.Literals(deliveryStatuses),
    /** Contacts selected; 0 until the first claim. */
    sourceCount: Schema.Int,
    /** Always the sum of the following three. */
    processedCount: Schema.Int,
    sentCount: Schema.Int,
    skippedCount: Schema.Int,
    failedCount: Schema.Int,
    /** Removals that the receiver acknowledged. */
    removedCount: Schema.Int,
    /** Batches fully acknowledged. */
    batchIndex: Schema.Int,
    attempts: Schema.Int,
    nextAttemptAt: text,
    retryOfDeliveryId: text,
    errorCode: Schema.NullOr(Schema.Literals(deliveryErrorCodes)),
    errorMessage: text,
    startedAt: text,
    completedAt: text,
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "Delivery" }),
) {}

/** A contact that failed. */ // spec 2.16
export class DeliveryFailure extends Schema.Opaque<DeliveryFailure>()(
  Schema.Struct({
    hashedEmail: Schema.String,
    errorCode: Schema.Literals(deliveryErrorCodes),
    errorMessage: text,
    statusCode: Schema.NullOr(Schema.Int),
    attempts: Schema.Int,
    lastAttemptAt: Schema.String,
  }).annotate({ identifier: "DeliveryFailure" }),
) {}

/** What became of a contact. */ // spec 5.10.18
export const contactOutcomes = ["sent", "failed", "skipped", "removed"] as const
export type ContactOutcome = (typeof contactOutcomes)[number]

/** A contact of a delivery, once it has an outcome. */ // spec 5.10.18
export class DeliveryContact extends Schema.Opaque<DeliveryContact>()(
  Schema.Struct({
    hashedEmail: Schema.String,
    outcome: Schema.Literals(contactOutcomes),
    name: text,
    email: text,
    errorCode: Schema.NullOr(Schema.Literals(deliveryErrorCodes)),
    errorMessage: text,
    personExists: Schema.Boolean,
  }).annotate({ identifier: "DeliveryContact" }),
) {}

/** One attempt at a failed contact. */ // spec 5.10.15
const DeliveryTry = Schema.Struct({
  at: Schema.String,
  errorCode: Schema.Literals(deliveryErrorCodes),
  errorMessage: text,
  statusCode: Schema.NullOr(Schema.Int),
  /** At most 1,024 bytes of the receiver's response. */
  responseSnippet: text,
}).annotate({ identifier: "DeliveryTry" })

/** A failed contact, with its attempts and what it was sent. */ // spec 5.10.15
export class FailedContact extends Schema.Opaque<FailedContact>()(
  Schema.Struct({
    ...DeliveryFailure.fields,
    tries: Schema.Array(DeliveryTry),
    messageId: text,
    payload: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  }).annotate({ identifier: "FailedContact" }),
) {}

const minutes = 60
const hours = 60 * minutes

/** The queue of deliveries. */ // spec 4.4, 10.3
export const deliveryQueue: Queue = {
  table: "delivery",
  waiting: "queued",
  working: "processing",
  attemptsMax: 6,
  retrySeconds: [minutes, 5 * minutes, 30 * minutes, 2 * hours, 6 * hours],
}

/** Contacts per batch, and how many are sent to one destination at the same time. */ // spec 2.16
export const batchSize = 100
export const contactsAtOnce = 5

/** From more contacts than this on, a delivery that removes more than half of them needs approval. */ // spec 2.16.9
export const unguardedMax = 100

export interface DeliveryKey {
  readonly organizationId: string
  readonly audienceId: string
  readonly deliveryId: string
}

export interface DeliveryError {
  readonly code: DeliveryErrorCode
  readonly message: string
}
