// The codes of refused requests, so that an editor completes them and a misspelt one is seen.
// Source: spec 9; only those of endpoints this SDK calls.

/** A code; further ones may be added within /v1, so a `switch` over codes needs a default. */
export type ApiErrorCode =
  | "VALIDATION_ERROR"
  | "INVALID_CURSOR"
  | "INVALID_RULE"
  | "AUTHENTICATION_ERROR"
  | "FORBIDDEN"
  | "ORGANIZATION_INACTIVE"
  | "SLOTS_FULL"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "REQUEST_TIMEOUT"
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
  | "SEGMENT_IN_USE"
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
  /** An answer that is not Footfall's. */
  | "INVALID_RESPONSE"
  // Any other text, without hiding the ones above from completion.
  | (string & {})
