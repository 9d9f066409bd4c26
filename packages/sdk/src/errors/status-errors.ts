// One class for each status the API answers with, and the choice between them.
// Which codes a status can have is listed in decisions.md 9.

import { ApiError, type ApiErrorInit } from "./api-error.ts"
import type { ValidationIssue } from "./validation-issue.ts"

/** 400: the request is not valid; `code` tells which part. */
export class BadRequestError extends ApiError {
  static {
    this.prototype.name = "BadRequestError"
  }

  /** What is wrong, at most 100 entries; empty unless `code` is `VALIDATION_ERROR`. */
  get issues(): ReadonlyArray<ValidationIssue> {
    const { details } = this
    if (this.code !== "VALIDATION_ERROR" || typeof details !== "object" || details === null) {
      return []
    }
    const issues: unknown = "issues" in details ? details.issues : []
    return Array.isArray(issues) ? issues.filter(isValidationIssue) : []
  }
}

function isValidationIssue(value: unknown): value is ValidationIssue {
  return (
    typeof value === "object" &&
    value !== null &&
    "path" in value &&
    typeof value.path === "string" &&
    "code" in value &&
    typeof value.code === "string" &&
    "message" in value &&
    typeof value.message === "string"
  )
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
