// One class for each status the API answers with, and the choice between them.
// Which codes a status can have is listed in spec 9.

import { ApiError, type ApiErrorInit } from "./api-error.ts"
import {
  integerDetail,
  integersDetail,
  invalidRule,
  slotsInUse,
  textDetail,
  textsDetail,
  validationIssues,
  type InvalidRule,
  type SiteUnreadableReason,
  type SlotsInUse,
  type ValidationIssue,
} from "./details.ts"

/** 400: the request is not valid; `code` tells which part. */
export class BadRequestError extends ApiError {
  static {
    this.prototype.name = "BadRequestError"
  }

  /** What is wrong, at most 100 entries; empty unless `code` is `VALIDATION_ERROR`. */
  get issues(): ReadonlyArray<ValidationIssue> {
    return this.code === "VALIDATION_ERROR" ? validationIssues(this.details) : []
  }

  /** Which node of the rule is wrong, and how; null unless `code` is `INVALID_RULE`. */
  get invalidRule(): InvalidRule | null {
    return this.code === "INVALID_RULE" ? invalidRule(this.details) : null
  }

  /** The topics that the catalogue does not have; empty where none was missing. */
  get unknownTopicIds(): ReadonlyArray<number> {
    return this.code === "VALIDATION_ERROR" ? integersDetail(this.details, "unknownTopicIds") : []
  }
}

/** 401: no credentials, or not valid ones. */
export class AuthenticationError extends ApiError {
  static {
    this.prototype.name = "AuthenticationError"
  }
}

/** 403: the credentials do not allow this. */
export class PermissionError extends ApiError {
  static {
    this.prototype.name = "PermissionError"
  }

  /** The role that is needed, or `operator`; null unless `code` is `FORBIDDEN`. */
  get required(): string | null {
    return this.code === "FORBIDDEN" ? textDetail(this.details, "required") : null
  }

  /** The audience slots of the organization, all of them used; null unless `code` is `SLOTS_FULL`. */
  get slots(): SlotsInUse | null {
    return this.code === "SLOTS_FULL" ? slotsInUse(this.details) : null
  }
}

/** 404: not there, or another organization's. */
export class NotFoundError extends ApiError {
  static {
    this.prototype.name = "NotFoundError"
  }
}

/** 405: the path is known, the method is not. */
export class MethodNotAllowedError extends ApiError {
  static {
    this.prototype.name = "MethodNotAllowedError"
  }
}

/** 408: the server waited too long for the request. */
export class RequestTimeoutError extends ApiError {
  static {
    this.prototype.name = "RequestTimeoutError"
  }
}

/** 409: the state of the object does not allow this. */
export class ConflictError extends ApiError {
  static {
    this.prototype.name = "ConflictError"
  }

  /** The pixel that the domain has already; null unless `code` is `PIXEL_EXISTS`. */
  get pixelId(): string | null {
    return this.code === "PIXEL_EXISTS" ? textDetail(this.details, "pixelId") : null
  }

  /** The run that is under way; null unless `code` is `RUN_IN_PROGRESS`. */
  get runId(): string | null {
    return this.code === "RUN_IN_PROGRESS" ? textDetail(this.details, "runId") : null
  }

  /** The delivery that is under way; null unless `code` is `DELIVERY_IN_PROGRESS`. */
  get deliveryId(): string | null {
    return this.code === "DELIVERY_IN_PROGRESS" ? textDetail(this.details, "deliveryId") : null
  }

  /** The webhooks that use the segment; empty unless `code` is `SEGMENT_IN_USE`. */
  get webhookIds(): ReadonlyArray<string> {
    return this.code === "SEGMENT_IN_USE" ? textsDetail(this.details, "webhookIds") : []
  }
}

/** 413: the request is larger than the server reads. */
export class PayloadTooLargeError extends ApiError {
  static {
    this.prototype.name = "PayloadTooLargeError"
  }
}

/** 415: the type of the request's body is not accepted. */
export class UnsupportedMediaTypeError extends ApiError {
  static {
    this.prototype.name = "UnsupportedMediaTypeError"
  }
}

/** 422: the request is valid but cannot be carried out. */
export class UnprocessableError extends ApiError {
  static {
    this.prototype.name = "UnprocessableError"
  }

  /** Why the web page could not be read; null unless `code` is `SITE_UNREADABLE`. */
  get reason(): SiteUnreadableReason | null {
    if (this.code !== "SITE_UNREADABLE") return null
    // A reason of a later server is passed on under the names of today's.
    return textDetail(this.details, "reason") as SiteUnreadableReason | null
  }

  /** The time that the rule or preview had; null unless `code` is `QUERY_TOO_SLOW`. Units: seconds. */
  get seconds(): number | null {
    return this.code === "QUERY_TOO_SLOW" ? integerDetail(this.details, "seconds") : null
  }
}

/** 429: too many requests; `retryAfterSeconds` says when to come back. */
export class RateLimitedError extends ApiError {
  static {
    this.prototype.name = "RateLimitedError"
  }
}

/** 500: the server failed; quote `requestId`. */
export class InternalServerError extends ApiError {
  static {
    this.prototype.name = "InternalServerError"
  }
}

/** 503: the server cannot take the request now. */
export class ServiceUnavailableError extends ApiError {
  static {
    this.prototype.name = "ServiceUnavailableError"
  }
}

const classByStatus: ReadonlyMap<number, new (init: ApiErrorInit) => ApiError> = new Map([
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

/** @internal The error of the class that stands for the status. */
export function statusError(init: ApiErrorInit): ApiError {
  const Class = classByStatus.get(init.status) ?? ApiError
  return new Class(init)
}
