// Unsuccessful responses: one class for each status of the API, and `ApiError` for every other status and for responses
// that are not from Footfall. spec 9 lists the codes of each status.

import {
  type DeviceLoginReason,
  integerDetail,
  integersDetail,
  type InvalidRule,
  invalidRule,
  type SiteUnreadableReason,
  type SlotsInUse,
  slotsInUse,
  textDetail,
  textsDetail,
  type UnknownColumn,
  unknownColumn,
  type ValidationIssue,
  validationIssues,
} from "./details.ts"
import { FootfallError } from "./footfall-error.ts"

/** An error code. More may be added within /v1, so a `switch` over codes needs a default. */
export type ApiErrorCode =
  | "VALIDATION_ERROR"
  | "INVALID_CURSOR"
  | "INVALID_RULE"
  | "COLUMN_UNKNOWN"
  | "AUTHENTICATION_ERROR"
  | "FORBIDDEN"
  | "ORGANIZATION_INACTIVE"
  | "SCOPE_MISSING"
  | "NETWORK_NOT_ALLOWED"
  | "NOT_FOR_SITE_KEYS"
  | "SLOTS_FULL"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "REQUEST_TIMEOUT"
  | "ACCOUNT_IN_USE"
  | "ACCOUNT_UNHEALTHY"
  | "AUDIENCE_LIMIT_REACHED"
  | "AUDIENCE_NOT_ACTIVE"
  | "DELIVERY_IN_PROGRESS"
  | "DELIVERY_NOT_ELIGIBLE"
  | "DESTINATION_NOT_ACTIVE"
  | "IDEMPOTENCY_MISMATCH"
  | "NO_COMPLETED_RUN"
  | "RUN_IN_PROGRESS"
  | "RUN_NOT_COMPLETED"
  | "RUN_NOT_QUEUED"
  | "INVALID_TRANSITION"
  | "PIXEL_EXISTS"
  | "LIST_FULL"
  | "LIST_IN_USE"
  | "MAIL_NOT_CONFIGURED"
  | "SEGMENT_IN_USE"
  | "IMPORT_GUARDED"
  | "LIST_CHANGED"
  | "CONFLICT"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "SITE_UNREADABLE"
  | "QUERY_TOO_SLOW"
  | "RATE_LIMITED"
  | "HEADERS_TOO_LARGE"
  | "INTERNAL_ERROR"
  | "PROVIDER_ERROR"
  | "INTEGRATION_UNAVAILABLE"
  | "SERVICE_UNAVAILABLE"
  /** The response is not from Footfall. */
  | "INVALID_RESPONSE"
  // Accepts any other string, and keeps autocompletion for the codes above.
  | (string & {})

/** Contents of an error response. */
export interface ApiErrorInit {
  readonly status: number
  readonly code: ApiErrorCode
  readonly message: string
  readonly requestId: string | null
  readonly details: unknown
  readonly retryAfterSeconds: number | null
}

/** The server responded with an error, or the response is not from Footfall. */
export class ApiError extends FootfallError {
  declare readonly _tag: string
  /** HTTP status. */
  readonly status: number
  /** Why the server rejected the request; `INVALID_RESPONSE` if the response is not from Footfall. */
  readonly code: ApiErrorCode
  /** Include it when you report a problem. Null if the response had none. */
  readonly requestId: string | null
  /** Additional data for the code, see the API reference; undefined if there is none. */
  readonly details: unknown
  /** Seconds to wait before a retry; null if the server did not say. */
  readonly retryAfterSeconds: number | null

  constructor(init: ApiErrorInit) {
    super(init.message)
    this.status = init.status
    this.code = init.code
    this.requestId = init.requestId
    this.details = init.details
    this.retryAfterSeconds = init.retryAfterSeconds
  }

  /**
   * @internal The error for a successful response that breaks the contract, so none of its content can be trusted.
   */
  static invalidResponse(status: number, problem: string): ApiError {
    return new ApiError({
      status,
      code: "INVALID_RESPONSE",
      message: `HTTP ${status}, but not a response from Footfall: ${problem}`,
      requestId: null,
      details: undefined,
      retryAfterSeconds: null,
    })
  }
}

/** 400: the request is invalid; `code` says which part. */
export class BadRequestError extends ApiError {
  declare readonly _tag: "BadRequestError"
  /** What is wrong, at most 100 entries; empty unless `code` is `VALIDATION_ERROR`. */
  get issues(): ReadonlyArray<ValidationIssue> {
    return this.code === "VALIDATION_ERROR" ? validationIssues(this.details) : []
  }

  /** Which node of the rule is wrong, and how; null unless `code` is `INVALID_RULE`. */
  get invalidRule(): InvalidRule | null {
    return this.code === "INVALID_RULE" ? invalidRule(this.details) : null
  }

  /** What the request has to name; null unless `code` is `COLUMN_UNKNOWN`. */
  get unknownColumn(): UnknownColumn | null {
    return this.code === "COLUMN_UNKNOWN" ? unknownColumn(this.details) : null
  }

  /** What can be done about it; null if the server does not say. */
  get hint(): string | null {
    return textDetail(this.details, "hint")
  }

  /** The topics that are not in the catalog; empty unless `code` is `VALIDATION_ERROR`. */
  get unknownTopicIds(): ReadonlyArray<number> {
    return this.code === "VALIDATION_ERROR" ? integersDetail(this.details, "unknownTopicIds") : []
  }

  /** Why a device login has no tokens; null for other requests. */
  get deviceLoginReason(): DeviceLoginReason | null {
    // A newer server may send a reason that is not in the type.
    return textDetail(this.details, "reason") as DeviceLoginReason | null
  }
}

/** 401: the credentials are missing or invalid. */
export class AuthenticationError extends ApiError {
  declare readonly _tag: "AuthenticationError"
}

/** 403: the credentials do not allow this. */
export class PermissionError extends ApiError {
  declare readonly _tag: "PermissionError"
  /** The required role, or `operator`; null unless `code` is `FORBIDDEN`. */
  get required(): string | null {
    return this.code === "FORBIDDEN" ? textDetail(this.details, "required") : null
  }

  /** The scope that the API key lacks; null unless `code` is `SCOPE_MISSING`. */
  get scope(): string | null {
    return this.code === "SCOPE_MISSING" ? textDetail(this.details, "scope") : null
  }

  /** The organization's audience slots, all in use; null unless `code` is `SLOTS_FULL`. */
  get slots(): SlotsInUse | null {
    return this.code === "SLOTS_FULL" ? slotsInUse(this.details) : null
  }
}

/** 404: the object does not exist, or belongs to another organization. */
export class NotFoundError extends ApiError {
  declare readonly _tag: "NotFoundError"
}

/** 405: the path does not support the method. */
export class MethodNotAllowedError extends ApiError {
  declare readonly _tag: "MethodNotAllowedError"
}

/** 408: the request took too long to arrive. */
export class RequestTimeoutError extends ApiError {
  declare readonly _tag: "RequestTimeoutError"
}

/** 409: the object's state does not allow this. */
export class ConflictError extends ApiError {
  declare readonly _tag: "ConflictError"
  /** The existing pixel of the domain; null unless `code` is `PIXEL_EXISTS`. */
  get pixelId(): string | null {
    return this.code === "PIXEL_EXISTS" ? textDetail(this.details, "pixelId") : null
  }

  /** The run in progress; null unless `code` is `RUN_IN_PROGRESS`. */
  get runId(): string | null {
    return this.code === "RUN_IN_PROGRESS" ? textDetail(this.details, "runId") : null
  }

  /** The delivery in progress; null unless `code` is `DELIVERY_IN_PROGRESS`. */
  get deliveryId(): string | null {
    return this.code === "DELIVERY_IN_PROGRESS" ? textDetail(this.details, "deliveryId") : null
  }

  /** The segments that test the list; empty unless `code` is `LIST_IN_USE`. */
  get segmentIds(): ReadonlyArray<string> {
    return this.code === "LIST_IN_USE" ? textsDetail(this.details, "segmentIds") : []
  }

  /**
   * The suppression sources that mirror the list or read the account; empty unless `code` is `LIST_IN_USE` or
   * `ACCOUNT_IN_USE`.
   */
  get suppressionSourceIds(): ReadonlyArray<string> {
    return this.code === "LIST_IN_USE" || this.code === "ACCOUNT_IN_USE"
      ? textsDetail(this.details, "suppressionSourceIds")
      : []
  }

  /** The audiences that use the segment; empty unless `code` is `SEGMENT_IN_USE`. */
  get audienceIds(): ReadonlyArray<string> {
    return this.code === "SEGMENT_IN_USE" ? textsDetail(this.details, "audienceIds") : []
  }

  /** The webhooks that use the segment or list; empty unless `code` is `SEGMENT_IN_USE` or `LIST_IN_USE`. */
  get webhookIds(): ReadonlyArray<string> {
    return this.code === "SEGMENT_IN_USE" || this.code === "LIST_IN_USE"
      ? textsDetail(this.details, "webhookIds")
      : []
  }
}

/** 413: the request is too large. */
export class PayloadTooLargeError extends ApiError {
  declare readonly _tag: "PayloadTooLargeError"
}

/** 415: the content type of the request is not supported. */
export class UnsupportedMediaTypeError extends ApiError {
  declare readonly _tag: "UnsupportedMediaTypeError"
}

/** 422: the request is valid, but the server cannot process it. */
export class UnprocessableError extends ApiError {
  declare readonly _tag: "UnprocessableError"
  /** Why the web page could not be read; null unless `code` is `SITE_UNREADABLE`. */
  get reason(): SiteUnreadableReason | null {
    if (this.code !== "SITE_UNREADABLE") return null
    // A newer server may send a reason that is not in the type.
    return textDetail(this.details, "reason") as SiteUnreadableReason | null
  }

  /** The time limit of the rule or preview; null unless `code` is `QUERY_TOO_SLOW`. Units: seconds. */
  get seconds(): number | null {
    return this.code === "QUERY_TOO_SLOW" ? integerDetail(this.details, "seconds") : null
  }
}

/** 429: too many requests; retry after `retryAfterSeconds`. */
export class RateLimitedError extends ApiError {
  declare readonly _tag: "RateLimitedError"
}

/** 500: the server failed. Include `requestId` when you report it. */
export class InternalServerError extends ApiError {
  declare readonly _tag: "InternalServerError"
}

/** 503: the server is unavailable. */
export class ServiceUnavailableError extends ApiError {
  declare readonly _tag: "ServiceUnavailableError"
}

FootfallError.nameClasses({
  ApiError,
  BadRequestError,
  AuthenticationError,
  PermissionError,
  NotFoundError,
  MethodNotAllowedError,
  RequestTimeoutError,
  ConflictError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  UnprocessableError,
  RateLimitedError,
  InternalServerError,
  ServiceUnavailableError,
})

const classByStatus = new Map<number, new (init: ApiErrorInit) => ApiError>([
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [405, MethodNotAllowedError],
  [408, RequestTimeoutError],
  [409, ConflictError],
  [413, PayloadTooLargeError],
  [415, UnsupportedMediaTypeError],
  [422, UnprocessableError],
  [429, RateLimitedError],
  [500, InternalServerError],
  [503, ServiceUnavailableError],
])

/**
 * @internal Creates an error of the class for the status.
 */
export function statusError(init: ApiErrorInit): ApiError {
  const Class = classByStatus.get(init.status) ?? ApiError
  return new Class(init)
}
