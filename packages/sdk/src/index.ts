// The public exports of @footfall/sdk. For each resource, these are all the types its file exports. The class is
// exported as a type too, because the client creates it. test/exports.test.ts compares the names with test/exports.txt.

// The client
export { Footfall } from "./client.ts"
export type { RawRequest } from "./client.ts"
export type { FootfallOptions } from "./options.ts"
export type { AccessToken } from "./core/credentials.ts"
export type { ApiCall, WithResponse } from "./core/api-call.ts"
export type { LogEntry, LogLevel, WriteLog } from "./core/log.ts"
export type { CreateOptions, RequestOptions } from "./core/request-options.ts"
export type { Attempt, AttemptAnswer, AttemptWait, Hooks } from "./core/request-options.ts"
export type { RateLimitState } from "./core/rate-limit-state.ts"
export { result } from "./core/result.ts"
export type { Result } from "./core/result.ts"

// Other values that calls return or accept: lists, started work, files
export type { ByteStream } from "./core/byte-stream.ts"
export type { Page, PageMeta } from "./core/paged-list.ts"
export type { PagedList } from "./core/paged-list.ts"
export type { Started } from "./core/wait.ts"
export type { UploadChunk, UploadSource } from "./core/upload.ts"
export type { WaitOptions } from "./core/wait.ts"

// The resources. A class by hand has precedence over the generated one that it extends.
export type * from "./extensions/audience-filters.ts"
export type * from "./extensions/common.ts"
export type * from "./extensions/destination-kinds.ts"
export type * from "./extensions/imports.ts"
export type * from "./extensions/rules.ts"
export type * from "./extensions/run-results.ts"
export type {
  FileImportApplyParams,
  FileImportParams,
  FileImportRejectedParams,
  FileImports,
} from "./extensions/file-imports.ts"
export type * from "./extensions/topic-filters.ts"
export type { Audiences, AudienceFiltersParams } from "./extensions/audiences.ts"
export type { Auth } from "./extensions/auth.ts"
export type { Deliveries, SyncParams } from "./extensions/deliveries.ts"
export type { Exports } from "./extensions/exports.ts"
export type { AdFormat, ExportCsvParams, Runs, RunStartParams } from "./extensions/runs.ts"
export type {
  Suppression,
  SuppressionAddOptions,
  SuppressionIndustries,
  SuppressionIndustryMeta,
  SuppressionRemoveParams,
  SuppressionReplaceParams,
  SuppressionRows,
  SuppressionRuleInput,
  SuppressionUpload,
  SuppressionUploadOptions,
} from "./extensions/suppression.ts"
export type {
  LegacyVisitorFields,
  SessionCalls,
  VisitorGetParams,
  Visitors,
} from "./extensions/visitors.ts"
export type * from "./resources/account.ts"
export type * from "./resources/api-keys.ts"
export type * from "./resources/audiences.ts"
export type * from "./resources/audit-log.ts"
export type * from "./resources/erasures.ts"
export type * from "./resources/auth.ts"
export type * from "./resources/companies.ts"
export type * from "./resources/company-notes.ts"
export type * from "./resources/company-sessions.ts"
export type * from "./resources/deliveries.ts"
export type * from "./resources/destinations.ts"
export type * from "./resources/exports.ts"
export type * from "./resources/imports.ts"
export type * from "./resources/integrations.ts"
export type * from "./resources/inbound.ts"
export type * from "./resources/link-tokens.ts"
export type * from "./resources/members.ts"
export type * from "./resources/organizations.ts"
export type * from "./resources/overview.ts"
export type * from "./resources/pixels.ts"
export type * from "./resources/runs.ts"
export type * from "./resources/lists.ts"
export type * from "./resources/score.ts"
export type * from "./resources/tags.ts"
export type * from "./resources/segments.ts"
export type * from "./resources/shared-user-ids.ts"
export type * from "./resources/site-topics.ts"
export type * from "./resources/suppression-sources.ts"
export type * from "./resources/suppression.ts"
export type * from "./resources/file-imports.ts"
export type * from "./resources/topic-lists.ts"
export type * from "./resources/topics.ts"
export type * from "./resources/visitor-notes.ts"
export type * from "./resources/visitor-sessions.ts"
export type * from "./resources/visitor-webhooks.ts"
export type * from "./resources/visitors.ts"
export type * from "./resources/write-keys.ts"

// Errors: the base class, then those without a response from the server, then one class per status
export {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  FootfallError,
  TimeoutError,
} from "./errors/footfall-error.ts"
export {
  ApiError,
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
} from "./errors/api-error.ts"
export type { ApiErrorCode } from "./errors/api-error.ts"
export type {
  DeviceLoginReason,
  InvalidRule,
  InvalidRuleReason,
  SiteUnreadableReason,
  SlotsInUse,
  UnknownColumn,
  ValidationIssue,
} from "./errors/details.ts"
