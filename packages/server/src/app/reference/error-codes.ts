// The error codes that each operation may return (spec 9). Most follow from an operation's parameters and body; the
// others are listed here. The tests' server checks every error response against this
// (test/support/documented-errors.ts).
import type { ErrorCode } from "../../platform/http/errors.ts"

type Codes = ReadonlyArray<ErrorCode>

/** Codes that depend on the operation, by its id. */
const ownCodes: ReadonlyMap<string, Codes> = new Map<string, Codes>([
  ["visitors.list", ["QUERY_TOO_SLOW"]],
  ["companies.list", ["QUERY_TOO_SLOW"]],
  ["companies.activity", ["QUERY_TOO_SLOW"]],
  ["companyTopics.get", ["QUERY_TOO_SLOW"]],
  ["overview.get", ["QUERY_TOO_SLOW"]],
  ["overview.breakdown", ["QUERY_TOO_SLOW"]],
  ["visitorSessions.events", ["QUERY_TOO_SLOW"]],
  ["companySessions.events", ["QUERY_TOO_SLOW"]],
  ["visitors.query", ["INVALID_RULE", "INVALID_CURSOR", "QUERY_TOO_SLOW"]],
  ["companies.query", ["INVALID_RULE", "INVALID_CURSOR", "QUERY_TOO_SLOW"]],
  ["segments.create", ["INVALID_RULE"]],
  ["segments.update", ["INVALID_RULE"]],
  ["segments.preview", ["INVALID_RULE", "QUERY_TOO_SLOW"]],
  ["score.put", ["INVALID_RULE"]],
  ["visitorMarks.update", ["CONFLICT"]],
  ["companyMarks.update", ["CONFLICT"]],
  ["tags.list", ["QUERY_TOO_SLOW"]],
  ["segments.delete", ["SEGMENT_IN_USE"]],
  ["lists.create", ["CONFLICT"]],
  ["lists.delete", ["LIST_IN_USE"]],
  ["lists.addMembers", ["LIST_FULL"]],
  ["lists.replaceMembers", ["LIST_FULL"]],
  ["pixels.create", ["PIXEL_EXISTS"]],
  ["fileImports.plan", ["COLUMN_UNKNOWN", "LIST_FULL", "PAYLOAD_TOO_LARGE"]],
  ["fileImports.apply", ["IMPORT_GUARDED", "LIST_CHANGED", "LIST_FULL"]],
  ["inbound.create", ["CONFLICT"]],
  ["suppressionSources.create", ["CONFLICT"]],
  ["suppressionSources.sync", ["CONFLICT"]],
  ["suppressionSources.approve", ["CONFLICT"]],
  ["fileImports.undo", ["CONFLICT", "LIST_FULL"]],
  ["pixels.update", ["CONFLICT"]],
  ["pixelTopics.suggest", ["SITE_UNREADABLE"]],
  ["webhooks.create", ["MAIL_NOT_CONFIGURED"]],
  ["webhooks.update", ["MAIL_NOT_CONFIGURED"]],
  ["webhooks.preview", ["QUERY_TOO_SLOW"]],
  ["webhooks.redeliver", ["CONFLICT"]],
  ["webhooks.rotateSecret", ["CONFLICT"]],
  ["organizations.updateMember", ["CONFLICT"]],
  ["organizations.removeMember", ["CONFLICT"]],
  ["siteAnalysis.analyze", ["SITE_UNREADABLE"]],
  ["audiences.create", ["SLOTS_FULL", "AUDIENCE_LIMIT_REACHED"]],
  ["audiences.update", ["SLOTS_FULL", "INVALID_TRANSITION"]],
  ["audiencePreviews.preview", ["QUERY_TOO_SLOW"]],
  ["runs.start", ["AUDIENCE_NOT_ACTIVE", "RUN_IN_PROGRESS"]],
  ["runs.cancel", ["RUN_NOT_QUEUED"]],
  ["runs.results", ["RUN_NOT_COMPLETED"]],
  ["runs.stats", ["RUN_NOT_COMPLETED"]],
  ["exports.csv", ["RUN_NOT_COMPLETED"]],
  ["exports.parquet", ["RUN_NOT_COMPLETED"]],
  ["exports.ads", ["RUN_NOT_COMPLETED"]],
  ["exports.create", ["RUN_NOT_COMPLETED"]],
  ["exportDownloads.download", ["LINK_EXPIRED"]],
  ["destinations.create", ["ACCOUNT_UNHEALTHY", "INTEGRATION_UNAVAILABLE"]],
  ["destinations.update", ["ACCOUNT_UNHEALTHY", "INVALID_TRANSITION", "INTEGRATION_UNAVAILABLE"]],
  ["destinationSecrets.rotate", ["CONFLICT"]],
  ["integrations.lists", ["ACCOUNT_UNHEALTHY", "PROVIDER_ERROR", "INTEGRATION_UNAVAILABLE"]],
  [
    "integrations.readableLists",
    ["ACCOUNT_UNHEALTHY", "PROVIDER_ERROR", "INTEGRATION_UNAVAILABLE"],
  ],
  ["integrations.disconnect", ["ACCOUNT_IN_USE"]],
  ["integrations.connect", ["CONFLICT", "PROVIDER_ERROR", "INTEGRATION_UNAVAILABLE"]],
  ["integrations.check", ["INTEGRATION_UNAVAILABLE"]],
  ["integrations.certify", ["ACCOUNT_UNHEALTHY", "PROVIDER_ERROR", "INTEGRATION_UNAVAILABLE"]],
  [
    "deliveries.sync",
    ["DELIVERY_NOT_ELIGIBLE", "DESTINATION_NOT_ACTIVE", "NO_COMPLETED_RUN", "DELIVERY_IN_PROGRESS"],
  ],
  [
    "deliveries.retry",
    ["DELIVERY_NOT_ELIGIBLE", "DESTINATION_NOT_ACTIVE", "DELIVERY_IN_PROGRESS", "CONFLICT"],
  ],
  [
    "deliveries.retryFailure",
    ["DELIVERY_NOT_ELIGIBLE", "DESTINATION_NOT_ACTIVE", "DELIVERY_IN_PROGRESS", "CONFLICT"],
  ],
  ["deliveries.approve", ["CONFLICT"]],
  ["deliveries.cancel", ["CONFLICT"]],
])

/** Operations that accept a suspended or expired organization, by the start of their ids. */
const whateverStatus = [
  "auth.",
  "deviceLogins.",
  "passwords.",
  "exportDownloads.",
  "topics.",
  "topicTrends.",
]

/** Statuses whose code is the same for every operation that may return them. */
const commonCodes: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ["400", "VALIDATION_ERROR"],
  ["401", "AUTHENTICATION_ERROR"],
  ["403", "FORBIDDEN"],
  ["404", "NOT_FOUND"],
  ["408", "REQUEST_TIMEOUT"],
  ["413", "PAYLOAD_TOO_LARGE"],
  ["415", "UNSUPPORTED_MEDIA_TYPE"],
  ["429", "RATE_LIMITED"],
  ["503", "SERVICE_UNAVAILABLE"],
])

interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
  /** By status. */
  readonly responses: object
  /** Absent for an operation that accepts no API key. */
  readonly "x-scope"?: string | null
}

/** Every code the operation may return. Any operation may also fail with `INTERNAL_ERROR`. */
export const errorCodesOf = (operation: Operation): Codes => {
  const { operationId, parameters = [], responses, "x-scope": scope } = operation
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name)
  const statuses = Object.keys(responses)
  return [
    ...statuses.flatMap((status) => commonCodes.get(status) ?? []),
    ...(takes("cursor") ? (["INVALID_CURSOR"] as const) : []),
    ...(statuses.includes("403") && !whateverStatus.some((start) => operationId.startsWith(start))
      ? (["ORGANIZATION_INACTIVE"] as const)
      : []),
    ...(scope === undefined ? [] : (["NETWORK_NOT_ALLOWED"] as const)),
    ...(scope == null ? [] : (["SCOPE_MISSING", "NOT_FOR_SITE_KEYS"] as const)),
    ...(takes("idempotency-key") ? (["CONFLICT", "IDEMPOTENCY_MISMATCH"] as const) : []),
    ...(ownCodes.get(operationId) ?? []),
  ]
}
