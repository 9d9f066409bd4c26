// The wire contract of suppression sources (spec 2.25, 5.21).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../access/key-rights.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { eitherGroup } from "../../access/groups.ts"
import { idempotencyHeaders, Repeats } from "../../access/repeats/repeats.ts"
import { Meta, metaFields } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound, ServiceUnavailable } from "../../platform/http/errors.ts"
import { described, noParameters, requestText } from "../../platform/http/fields.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { RuleTypeSchema } from "../suppression/rule.ts"
import {
  schedules,
  sourceKinds,
  sourcePeople,
  sourcesMax,
  sourceStatuses,
  syncOutcomes,
} from "./source.ts"

export class SuppressionSource extends Schema.Opaque<SuppressionSource>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    kind: Schema.Literals(sourceKinds),
    types: Schema.Array(RuleTypeSchema),
    schedule: Schema.Literals(schedules),
    status: Schema.Literals(sourceStatuses),
    connectedAccountId: Schema.NullOr(Schema.String),
    listId: Schema.NullOr(Schema.String),
    people: Schema.NullOr(Schema.Literals(sourcePeople)),
    url: Schema.NullOr(Schema.String),
    column: Schema.NullOr(Schema.String),
    headerNames: Schema.Array(Schema.String),
    rules: Schema.Int,
    attention: Schema.NullOr(
      Schema.Struct({ reason: Schema.String, removals: Schema.Int, present: Schema.Int }),
    ),
    lastSync: Schema.NullOr(
      Schema.Struct({
        at: Schema.String,
        outcome: Schema.Literals(syncOutcomes),
        new: Schema.Int,
        removed: Schema.Int,
        errorCode: Schema.NullOr(Schema.String),
        errorMessage: Schema.NullOr(Schema.String),
      }),
    ),
    nextSyncAt: Schema.NullOr(Schema.String),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "SuppressionSource" }),
) {}

const name = described("1 to 160 characters.", requestText({ lengthMin: 1, lengthMax: 160 }))
const types = described(
  "Types of the rules. Of a file: rows of other types are rejected, and a file without types has the only one. Of a list of people, and of a service: `email`. Of a list of companies: `domain` (the default), `company_domain`, or both.",
  Schema.Array(RuleTypeSchema).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
)
const schedule = described(
  "How often the source is synced. A list is also synced within a minute of each change.",
  Schema.Literals(schedules),
)
const url = described(
  "An https URL of a file of CSV, text or NDJSON, also compressed with gzip, of at most 100 MiB.",
  Schema.String,
)
const column = described(
  "Column that contains the values, by name or by number from 1. Default: decided by the file.",
  Schema.NullOr(requestText({ lengthMin: 1, lengthMax: 255 })),
)
const headers = described(
  "Headers of the request, by name, such as `authorization`. Stored encrypted, and never shown.",
  Schema.Record(Schema.String, Schema.String),
)

const connectedAccountId = described(
  "A connected account of the service.",
  Schema.String.check(Schema.isUUID()),
)
const people = described(
  "Who is suppressed, of a service: `all` is everyone on the list, such as customers. `refused` is those of them who unsubscribed, bounced, complained or are suppressed there.",
  Schema.Literals(sourcePeople),
)
/** Our own limit for the id of a service's list. */
const serviceListId = requestText({ lengthMin: 1, lengthMax: 255 })

const NewSource = Schema.Struct({
  name,
  kind: described("What the source is. It never changes.", Schema.Literals(sourceKinds)),
  types: Schema.optionalKey(types),
  schedule: Schema.optionalKey(schedule),
  listId: Schema.optionalKey(
    described(
      "For `list`, the list to mirror. For a service, the id that its list has there. Without it, everyone in the account; EmailOctopus and Mailchimp have people on lists only.",
      serviceListId,
    ),
  ),
  connectedAccountId: Schema.optionalKey(connectedAccountId),
  people: Schema.optionalKey(people),
  url: Schema.optionalKey(url),
  column: Schema.optionalKey(column),
  headers: Schema.optionalKey(headers),
}).annotate({ identifier: "NewSuppressionSource" })

const SourceChange = Schema.Struct({
  name: Schema.optionalKey(name),
  types: Schema.optionalKey(types),
  schedule: Schema.optionalKey(schedule),
  status: Schema.optionalKey(
    described(
      "`paused` keeps the rules as they are. `active` syncs again.",
      Schema.Literals(["active", "paused"]),
    ),
  ),
  connectedAccountId: Schema.optionalKey(connectedAccountId),
  listId: Schema.optionalKey(
    described(
      "The list of a service. Null means everyone in the account.",
      Schema.NullOr(serviceListId),
    ),
  ),
  people: Schema.optionalKey(people),
  url: Schema.optionalKey(url),
  column: Schema.optionalKey(column),
  headers: Schema.optionalKey(
    described("Replaces all headers; null removes them.", Schema.NullOr(headers)),
  ),
}).annotate({ identifier: "SuppressionSourceChange" })

const SourceAnswer = Schema.Struct({ data: SuppressionSource, meta: Meta }).annotate({
  identifier: "SuppressionSourceAnswer",
})

const params = { sourceId: Schema.String.check(Schema.isUUID()) }
const path = "/v1/data/suppression-sources"

export class SuppressionSourcesApi extends HttpApiGroup.make("suppressionSources")
  .annotate(ScopesRequired, { read: "suppression:read", write: "suppression:write" })
  .annotate(OpenApi.Title, "Suppression sources")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: noParameters,
      success: Schema.Struct({
        data: Schema.Array(SuppressionSource).check(Schema.isMaxLength(sourcesMax)),
        meta: Schema.Struct({ total: Schema.Int, ...metaFields }),
      }).annotate({ identifier: "SuppressionSourceList" }),
    }),
    HttpApiEndpoint.post("create", path, {
      query: noParameters,
      headers: idempotencyHeaders,
      payload: NewSource,
      success: SourceAnswer.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict],
    })
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("get", `${path}/:sourceId`, {
      params,
      query: noParameters,
      success: SourceAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", `${path}/:sourceId`, {
      params,
      query: noParameters,
      payload: SourceChange,
      success: SourceAnswer,
      error: [BadRequest, NotFound],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", `${path}/:sourceId`, {
      params,
      query: {
        rules: Schema.optionalKey(Schema.Literals(["remove", "keep"])).annotateKey({
          description: "What becomes of its rules. Default: `remove`.",
        }),
      },
      success: Schema.Struct({
        data: Schema.Struct({ deleted: Schema.Literal(true) }),
        meta: Meta,
      }).annotate({ identifier: "SuppressionSourceDeletion" }),
      error: [BadRequest, NotFound, ServiceUnavailable],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.post("sync", `${path}/:sourceId/sync`, {
      params,
      query: noParameters,
      success: SourceAnswer,
      error: [NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.post("approve", `${path}/:sourceId/approve`, {
      params,
      query: noParameters,
      success: SourceAnswer,
      error: [NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
  )
  .annotate(RateLimited, { name: "suppression_sources", limit: 60 })
  .pipe(eitherGroup) {}
