// Everything @footfall/sdk makes public; nothing else can be imported from it.
// test/exports.test.ts compares this list with test/exports.txt.

// The client
export { Footfall } from "./client.ts"
export type { FootfallOptions } from "./options.ts"
export type { RequestOptions } from "./core/request-options.ts"

// Lists
export type { Page, PageMeta } from "./core/page.ts"
export type { PagedList } from "./core/paged-list.ts"

// Visitors
export type { Channel } from "./resources/channel.ts"
export type { Journey, Touch } from "./resources/journey.ts"
export type { PixelScope } from "./resources/pixel-scope.ts"
export type { ClickIdType, DeviceType, SessionSummary } from "./resources/session-summary.ts"
export type { Timeframe } from "./resources/timeframe.ts"
export type {
  EmailHashes,
  LegacyVisitorFields,
  Visitor,
  VisitorWithJourney,
} from "./resources/visitor.ts"
export type { Coverage, Scope, VisitorListMeta } from "./resources/visitor-list-meta.ts"
export type {
  SuppressedFilter,
  VisitorGetParams,
  VisitorListParams,
  VisitorListPosition,
} from "./resources/visitor-list-params.ts"
export type { Visitors } from "./resources/visitors.ts"

// Pixels
export type {
  Pixel,
  PixelPausedReason,
  PixelSettings,
  PixelStatus,
  TopicRule,
} from "./resources/pixel.ts"
export type { Pixels } from "./resources/pixels.ts"

// Every answer
export type { ResponseMeta } from "./resources/response-meta.ts"

// Errors: the root, then what never got an answer, then one class per status
export { FootfallError } from "./errors/footfall-error.ts"
export { ConfigurationError } from "./errors/configuration-error.ts"
export { AbortedError } from "./errors/aborted-error.ts"
export { ConnectionError } from "./errors/connection-error.ts"
export { TimeoutError } from "./errors/timeout-error.ts"
export { ApiError } from "./errors/api-error.ts"
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitedError,
  RequestTimeoutError,
  ServiceUnavailableError,
  UnprocessableError,
  UnsupportedMediaTypeError,
} from "./errors/status-errors.ts"
export type { ValidationIssue } from "./errors/validation-issue.ts"
