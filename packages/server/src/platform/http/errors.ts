// The API's error responses: one class per status, each with the envelope of spec 9. They have no `_tag` on the wire
// (docs/adr/0004). Only handlers.ts files turn domain errors into these.
import { Effect, Schema } from "effect"
import { currentMeta, Meta } from "./envelope.ts"

/** Every error code of the API, with its status. */ // spec 9
export const errorStatus = {
  VALIDATION_ERROR: 400,
  INVALID_CURSOR: 400,
  INVALID_RULE: 400,
  COLUMN_UNKNOWN: 400,
  AUTHENTICATION_ERROR: 401,
  FORBIDDEN: 403,
  LINK_EXPIRED: 403,
  NETWORK_NOT_ALLOWED: 403,
  NOT_FOR_SITE_KEYS: 403,
  ORGANIZATION_INACTIVE: 403,
  SCOPE_MISSING: 403,
  SLOTS_FULL: 403,
  DELIVERY_NOT_ELIGIBLE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ACCOUNT_IN_USE: 409,
  ACCOUNT_UNHEALTHY: 409,
  AUDIENCE_LIMIT_REACHED: 409,
  AUDIENCE_NOT_ACTIVE: 409,
  DELIVERY_IN_PROGRESS: 409,
  DESTINATION_NOT_ACTIVE: 409,
  IDEMPOTENCY_MISMATCH: 409,
  NO_COMPLETED_RUN: 409,
  RUN_IN_PROGRESS: 409,
  RUN_NOT_COMPLETED: 409,
  RUN_NOT_QUEUED: 409,
  INVALID_TRANSITION: 409,
  PIXEL_EXISTS: 409,
  SEGMENT_IN_USE: 409,
  IMPORT_GUARDED: 409,
  LIST_CHANGED: 409,
  LIST_FULL: 409,
  LIST_IN_USE: 409,
  MAIL_NOT_CONFIGURED: 409,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  SITE_UNREADABLE: 422,
  QUERY_TOO_SLOW: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  PROVIDER_ERROR: 500,
  INTEGRATION_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** The content of an error: `message` is for people, `details` for machines. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Schema.Json
}

const fields = {
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Json),
  }),
  meta: Meta,
}

export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(fields, {
  httpApiStatus: 400,
}) {}
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(fields, {
  httpApiStatus: 401,
}) {}
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(fields, {
  httpApiStatus: 403,
}) {}
export class NotFound extends Schema.Error<NotFound>("NotFound")(fields, { httpApiStatus: 404 }) {}
export class RequestTimeout extends Schema.Error<RequestTimeout>("RequestTimeout")(fields, {
  httpApiStatus: 408,
}) {}
export class Conflict extends Schema.Error<Conflict>("Conflict")(fields, { httpApiStatus: 409 }) {}
export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(fields, {
  httpApiStatus: 413,
}) {}
export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>(
  "UnsupportedMediaType",
)(fields, { httpApiStatus: 415 }) {}
export class Unprocessable extends Schema.Error<Unprocessable>("Unprocessable")(fields, {
  httpApiStatus: 422,
}) {}
export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(fields, {
  httpApiStatus: 429,
}) {}
export class InternalError extends Schema.Error<InternalError>("InternalError")(fields, {
  httpApiStatus: 500,
}) {}
export class ServiceUnavailable extends Schema.Error<ServiceUnavailable>("ServiceUnavailable")(
  fields,
  { httpApiStatus: 503 },
) {}

const classes = {
  400: BadRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  408: RequestTimeout,
  409: Conflict,
  413: PayloadTooLarge,
  415: UnsupportedMediaType,
  422: Unprocessable,
  429: TooManyRequests,
  500: InternalError,
  503: ServiceUnavailable,
} as const

type ClassOf<Code extends ErrorCode> = (typeof errorStatus)[Code] extends infer Status
  ? Status extends keyof typeof classes
    ? InstanceType<(typeof classes)[Status]>
    : never
  : never

/** Fails with the error of the code's status, in the current request's envelope. */
export const refuse = <Code extends ErrorCode>(
  refusal: Refusal & { readonly code: Code },
): Effect.Effect<never, ClassOf<Code>> =>
  Effect.flatMap(currentMeta, (meta) => {
    // own keys: the code and its status are ours
    const Class = classes[errorStatus[refusal.code] as keyof typeof classes]
    // The table above pairs each status with its class, but the compiler can't follow the lookup.
    return Effect.fail(new Class({ error: refusal, meta }) as ClassOf<Code>)
  })

/** The same body for an id that never existed, a deleted one, and another organization's. */ // spec 1.4
export const notFound = refuse({ code: "NOT_FOUND", message: "Not found." })

// The error for a body with unknown topics (spec 9, `details.unknownTopicIds`), the same on every endpoint.

/** `pathOf`: the JSON pointer of the topic at an index. */
export const unknownTopics = (
  unknown: ReadonlyArray<number>,
  given: ReadonlyArray<number>,
  pathOf: (place: number) => string = (place) => `/body/topicIds/${place}`,
) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `No topic found with id ${unknown[0]}.`,
    details: {
      issues: given.flatMap((topicId, place) =>
        unknown.includes(topicId)
          ? [
              {
                path: pathOf(place),
                code: "unknown_topic",
                message: `Expected the id of a topic, received ${topicId}.`,
              },
            ]
          : [],
      ),
      unknownTopicIds: [...unknown],
    },
  })

/** Why something can't be deleted: `Used by 2 audiences and 1 webhook.` Leaves out what does not use it. */
export const usedBy = (
  uses: ReadonlyArray<readonly [count: number, noun: string] | string>,
): string => {
  const texts = uses.flatMap((use) => {
    if (typeof use === "string") return [use]
    const [count, noun] = use
    return count === 0 ? [] : [count === 1 ? `1 ${noun}` : `${count} ${noun}s`]
  })
  return `Used by ${conjunction.format(texts)}.`
}

const conjunction = new Intl.ListFormat("en", { type: "conjunction" })
