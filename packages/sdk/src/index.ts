// Everything @footfall/sdk makes public; nothing else can be imported from it.
// test/exports.test.ts compares this list with test/exports.txt.

// The client
export { Footfall } from "./client.ts"
export type { FootfallOptions } from "./options.ts"
export type { RequestOptions } from "./core/request-options.ts"
export type { Attempt, AttemptAnswer, AttemptWait, Hooks } from "./core/hooks.ts"
export type { RateLimitState } from "./core/rate-limit-state.ts"
export { result } from "./core/result.ts"
export type { Result } from "./core/result.ts"
export type { Started } from "./core/started.ts"
export type { WaitOptions } from "./core/wait.ts"

export type { AccessToken } from "./core/credentials.ts"

// Lists
export type { Page, PageMeta } from "./core/page.ts"
export type { PagedList } from "./core/paged-list.ts"
export type { ListMeta } from "./resources/list-meta.ts"
export type { ListPosition } from "./resources/list-position.ts"

// Visitors
export type { Channel } from "./resources/channel.ts"
export type { Journey, Touch } from "./resources/journey.ts"
export type { PixelScope } from "./resources/pixel-scope.ts"
export type { SessionListMeta, SessionListParams } from "./resources/session-list.ts"
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
export type { VisitorQueryMeta } from "./resources/visitor-query-meta.ts"
export type { Qualification, VisitorQueryParams } from "./resources/visitor-query-params.ts"
export type { VisitorEraseParams, Visitors } from "./resources/visitors.ts"
export type {
  VisitorWebhook,
  VisitorWebhookCreateParams,
  VisitorWebhookRotateParams,
  VisitorWebhookStats,
  VisitorWebhookTest,
  VisitorWebhookTrigger,
  VisitorWebhookUpdateParams,
  VisitorWebhookWithSecret,
  WebhookDelivery,
  WebhookDeliveryListParams,
  WebhookDeliveryStatus,
} from "./resources/visitor-webhook.ts"
export type { VisitorWebhooks } from "./resources/visitor-webhooks.ts"

// Qualification rules and segments
export type {
  BooleanPredicate,
  DatetimePredicate,
  ExistsPredicate,
  NumberPredicate,
  Predicate,
  RuleDuration,
  TextListPredicate,
  TextPredicate,
} from "./resources/predicate.ts"
export type { RuleAst, RuleGroup, RuleNode } from "./resources/rule-ast.ts"
export type {
  BooleanField,
  DatetimeField,
  NumberField,
  RuleField,
  TextField,
  TextListField,
} from "./resources/rule-field.ts"
export type {
  Segment,
  SegmentCreateParams,
  SegmentPreview,
  SegmentPreviewParams,
  SegmentUpdateParams,
} from "./resources/segment.ts"
export type { Segments } from "./resources/segments.ts"

// Suppression
export type {
  SuppressionIndustries,
  SuppressionIndustry,
  SuppressionIndustryMeta,
  SuppressionListMeta,
  SuppressionListParams,
  SuppressionPreview,
  SuppressionRejection,
  SuppressionRejectionReason,
  SuppressionRemoval,
  SuppressionRemoveParams,
  SuppressionReplaceParams,
  SuppressionRule,
  SuppressionRuleCounts,
  SuppressionRuleInput,
  SuppressionRuleType,
  SuppressionWrite,
  VisitorSuppression,
} from "./resources/suppression-rule.ts"
export type {
  SuppressionRows,
  SuppressionUpload,
  SuppressionUploadOptions,
} from "./resources/suppression-upload.ts"
export type { Suppression } from "./resources/suppression.ts"

// Pixels
export type {
  Pixel,
  PixelPausedReason,
  PixelSettings,
  PixelStatus,
  TopicRule,
} from "./resources/pixel.ts"
export type {
  PixelCreateParams,
  PixelEmbed,
  PixelSettingsChanges,
  PixelUpdateParams,
  PixelFinding,
  PixelFindingCode,
  PixelVerification,
  PixelVerificationReason,
  PixelWithCode,
} from "./resources/pixel-params.ts"
export type { Pixels } from "./resources/pixels.ts"

// Links in mails
export type {
  LinkToken,
  LinkTokenBatch,
  LinkTokenCreateParams,
  LinkTokenPerson,
} from "./resources/link-token.ts"
export type { LinkTokens } from "./resources/link-tokens.ts"

// Topics
export type { SiteAnalysis, SiteTopic, StoredSiteAnalysis } from "./resources/site-analysis.ts"
export type { SiteTopics } from "./resources/site-topics.ts"
export type { Topic, TopicFacet, TopicFacets, TopicType } from "./resources/topic.ts"
export type {
  TopicList,
  TopicListCreateParams,
  TopicListUpdateParams,
} from "./resources/topic-list.ts"
export type { TopicLists } from "./resources/topic-lists.ts"
export type {
  TopicFilter,
  TopicListMeta,
  TopicListParams,
  TopicListPosition,
  TopicMoverParams,
  TopicSearchParams,
  TopicTrendParams,
} from "./resources/topic-params.ts"
export type {
  TopicComparison,
  TopicDay,
  TopicMover,
  TopicTrendPoint,
} from "./resources/topic-trend.ts"
export type { Topics } from "./resources/topics.ts"

// Audiences
export type {
  Audience,
  AudienceAccessType,
  AudienceCreateParams,
  AudienceListParams,
  AudienceStatus,
  AudienceUpdateParams,
  SavedAudienceConfig,
} from "./resources/audience.ts"
export type {
  AudienceConfig,
  AudienceConfigParams,
  AudiencePerson,
  AudiencePreview,
  AudiencePreviewParams,
  AudienceValidation,
} from "./resources/audience-config.ts"
export type {
  AgeRange,
  AudienceFilter,
  AudienceFilterCount,
  AudienceFilterCounts,
  AudienceFilters,
  AudienceFilterValues,
  CompanyRevenueRange,
  CompanySize,
  Department,
  Gender,
  ListedAudienceFilter,
  Seniority,
} from "./resources/audience-filters.ts"
export type { Audiences, AudienceFiltersParams } from "./resources/audiences.ts"

// Runs
export type {
  Run,
  RunErrorCode,
  RunListParams,
  RunResult,
  RunResultPath,
  RunResultsMeta,
  RunShare,
  RunStartParams,
  RunStatistics,
  RunStatus,
  RunType,
  RunWithStatistics,
} from "./resources/run.ts"
export type { Runs } from "./resources/runs.ts"

// Exports
export type { ByteStream } from "./core/byte-stream.ts"
export type { Export, ExportCsvParams, ExportStatus, ExportWithLink } from "./resources/export.ts"
export type { Exports } from "./resources/exports.ts"

// Destinations and integrations
export type {
  AutomationConfig,
  AutomationDestination,
  Destination,
  DestinationEventType,
  DestinationStats,
  DestinationStatus,
  MappedAttribute,
  ValidationPolicy,
  WebhookDestination,
} from "./resources/destination.ts"
export type {
  AutomationConfigParams,
  AutomationDestinationCreateParams,
  DestinationCreateParams,
  DestinationTest,
  DestinationTestParams,
  DestinationUpdateParams,
  DestinationWithSecret,
  SecretRotateParams,
  WebhookDestinationCreateParams,
} from "./resources/destination-params.ts"
export type { Destinations } from "./resources/destinations.ts"
export type {
  AccountConnectParams,
  ConnectedAccount,
  ConnectedAccountStatus,
  MailingList,
  MailingListField,
} from "./resources/connected-account.ts"
export type { Integrations } from "./resources/integrations.ts"

// Deliveries
export type {
  Delivery,
  DeliveryErrorCode,
  DeliveryFailure,
  DeliveryListParams,
  DeliveryMode,
  DeliveryStatus,
  SyncParams,
} from "./resources/delivery.ts"
export type { Deliveries } from "./resources/deliveries.ts"

// Account, organizations, members, keys and tokens
export type { Account } from "./resources/account.ts"
export type { AccountStatus, Credits, IntentAccess } from "./resources/account-status.ts"
export type {
  Organization,
  OrganizationCreateParams,
  OrganizationSettings,
  OrganizationStatus,
  OrganizationUpdateParams,
} from "./resources/organization.ts"
export type { Organizations } from "./resources/organizations.ts"
export type {
  AddedMember,
  Member,
  MemberAddParams,
  MemberId,
  MemberUpdateParams,
  Role,
} from "./resources/member.ts"
export type { Members } from "./resources/members.ts"
export type { ApiKey, ApiKeyCreateParams, CreatedApiKey } from "./resources/api-key.ts"
export type { ApiKeys } from "./resources/api-keys.ts"
export type {
  AcceptInviteParams,
  LoggedOut,
  LoginParams,
  LogoutParams,
  Me,
  RefreshParams,
  Tokens,
  User,
} from "./resources/tokens.ts"
export type { Auth } from "./resources/auth.ts"

// Imports
export type { UploadChunk, UploadSource } from "./core/upload.ts"
export type {
  ImportFormat,
  ImportKind,
  ImportParams,
  ImportRejection,
  ImportRejectionReason,
  ImportResult,
} from "./resources/import-result.ts"
export type { Imports } from "./resources/imports.ts"

// Every answer
export type { Deleted } from "./resources/deleted.ts"
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
export type { ApiErrorCode } from "./errors/api-error-code.ts"
export type {
  InvalidRule,
  InvalidRuleReason,
  SiteUnreadableReason,
  SlotsInUse,
  ValidationIssue,
} from "./errors/details.ts"
