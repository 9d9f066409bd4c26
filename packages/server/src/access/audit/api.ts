// The wire contract of the audit log (spec 5.13): who changed what, newest first. Entries contain ids, never values.
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { accessLimit, memberGroup } from "../groups.ts"
import { lenient } from "../../platform/http/contract.ts"
import { metaFields } from "../../platform/http/envelope.ts"
import { BadRequest } from "../../platform/http/errors.ts"
import { described, requestText } from "../../platform/http/fields.ts"
import { listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { RoleRequired } from "../authentication.ts"
import { Moment } from "../keys/api.ts"

const { cursor, limit } = listParameters(pageSizeMax)

const AuditEntryWire = Schema.Struct({
  id: Schema.String,
  at: Schema.DateTimeUtcFromString,
  actor: Schema.Struct({
    type: Schema.Literals(["api_key", "user", "operator", "system"]),
    id: Schema.NullOr(Schema.String),
    /** A member's address or a key's name; null for others. */
    name: Schema.NullOr(Schema.String),
  }),
  action: Schema.String,
  targetId: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String),
}).annotate({ identifier: "AuditEntry" })

export class AuditLogApi extends HttpApiGroup.make("auditLog")
  .annotate(OpenApi.Title, "Organizations")
  .add(
    HttpApiEndpoint.get("list", "/v1/audit-log", {
      query: {
        limit,
        cursor,
        actor: described(
          "Only what this user or API key did: an id, or `operator` or `system`.",
          Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 40 })),
        ),
        action: described(
          "Only this action, such as `pixel.created`, or those of a resource, such as `pixel`.",
          Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 100 })),
        ),
        from: described(
          "Only entries from this time on, such as `2026-03-11T09:00:00Z`.",
          Schema.optionalKey(Moment),
        ),
        to: described("Only entries before this time.", Schema.optionalKey(Moment)),
      },
      success: Schema.Struct({
        data: Schema.Array(AuditEntryWire),
        meta: Schema.Struct({
          limit: Schema.Int,
          hasMore: Schema.Boolean,
          nextCursor: Schema.NullOr(Schema.String),
          ...metaFields,
        }),
      }).annotate({ identifier: "AuditLogPage" }),
      error: BadRequest,
    }),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(RoleRequired, "admin")
  .annotate(RateLimited, accessLimit)
  .pipe(memberGroup) {}
