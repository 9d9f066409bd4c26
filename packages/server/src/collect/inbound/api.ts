// The wire contract of inbound sources (spec 5.22, 15.3). The route that vendors call is in routes.ts.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RoleRequired } from "../../access/authentication.ts"
import { eitherGroup } from "../../access/groups.ts"
import { ScopesRequired } from "../../access/key-rights.ts"
import { Deleted } from "../../access/organizations/api.ts"
import { AnswersSecret, idempotencyHeaders, Repeats } from "../../access/repeats/repeats.ts"
import { Meta, metaFields } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts"
import { described, noParameters, requestText } from "../../platform/http/fields.ts"
import { BodyOptional } from "../../platform/http/json-body.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import {
  graceHoursMax,
  historyMax,
  inboundConsents,
  inboundSourcesMax,
  inboundStatuses,
  presets,
} from "./inbound-source.ts"
import { recordKinds } from "./mapping.ts"
import { pathLengthMax } from "./path.ts"
import { outcomes } from "./records-store.ts"

const MappingShown = Schema.Struct({
  kind: Schema.Literals(recordKinds),
  each: Schema.optionalKey(Schema.String),
  fields: Schema.Record(Schema.String, Schema.String),
}).annotate({ identifier: "InboundMapping" })

export class InboundWire extends Schema.Opaque<InboundWire>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    pixelId: Schema.String,
    preset: Schema.Literals(presets),
    mapping: Schema.NullOr(MappingShown),
    consent: Schema.Literals(inboundConsents),
    status: Schema.Literals(inboundStatuses),
    last4: Schema.String,
    isSigned: Schema.Boolean,
    formerUrlUntil: Schema.NullOr(Schema.String),
    lastRequestAt: Schema.NullOr(Schema.String),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "Inbound" }),
) {}

const name = described("1 to 160 characters.", requestText({ lengthMin: 1, lengthMax: 160 }))
const pixelId = described("The site that the visits are of.", Schema.String.check(Schema.isUUID()))
const preset = described("Who sends. It never changes.", Schema.Literals(presets))
const NewMapping = Schema.Struct({
  kind: described(
    "What a record is about. A record of `person` without an address becomes a visit of its company.",
    Schema.Literals(recordKinds),
  ),
  each: Schema.optionalKey(
    described(
      "Where the records are in the body, such as `$.data[*]`. Default: the body is the record.",
      requestText({ lengthMin: 1, lengthMax: pathLengthMax }),
    ),
  ),
  fields: described(
    'For each field a path in the record, such as `$.contact["E-mail"]`, or `=` and a text.',
    Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(1_024))).check(
      Schema.isMaxProperties(60),
    ),
  ),
}).annotate({ identifier: "NewInboundMapping" })
const mapping = described(
  "How records become fields. It replaces fields of the preset. Required for `generic`.",
  Schema.NullOr(NewMapping),
)
const signingSecret = described(
  "The secret with which the vendor signs, 1 to 255 characters. Stored encrypted, and never shown. Null removes it.",
  Schema.NullOr(requestText({ lengthMin: 1, lengthMax: 255 })),
)
const consent = described(
  "`vouched`: the vendor has asked for consent. `pixel`: records pass only where the pixel's own consent is `granted`.",
  Schema.Literals(inboundConsents),
)
const status = described(
  "`paused` answers requests and keeps nothing.",
  Schema.Literals(inboundStatuses),
)

const NewInbound = Schema.Struct({
  name,
  pixelId,
  preset,
  mapping: Schema.optionalKey(mapping),
  signingSecret: Schema.optionalKey(signingSecret),
  consent: Schema.optionalKey(consent),
  status: Schema.optionalKey(status),
}).annotate({ identifier: "NewInbound" })

const InboundChange = Schema.Struct({
  name: Schema.optionalKey(name),
  pixelId: Schema.optionalKey(pixelId),
  mapping: Schema.optionalKey(mapping),
  signingSecret: Schema.optionalKey(signingSecret),
  consent: Schema.optionalKey(consent),
  status: Schema.optionalKey(status),
}).annotate({ identifier: "InboundChange" })

const Rotation = Schema.Struct({
  graceHours: Schema.optionalKey(
    described(
      "Hours that the former URL works.",
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: graceHoursMax })),
    ),
  ),
}).annotate({ identifier: "InboundRotation" })

const Test = Schema.Struct({
  preset,
  mapping: Schema.optionalKey(mapping),
  sample: described("A body as the vendor sends it.", Schema.Json),
}).annotate({ identifier: "InboundSample" })

const Answer = Schema.Struct({ data: InboundWire, meta: Meta }).annotate({
  identifier: "InboundAnswer",
})
const WithUrl = Schema.Struct({
  data: Schema.Struct({ inbound: InboundWire, url: Schema.String }),
  meta: Meta,
}).annotate({ identifier: "InboundWithUrl" })

const HistoryRequest = Schema.Struct({
  id: Schema.String,
  receivedAt: Schema.String,
  records: Schema.Int,
  outcomes: Schema.Array(
    Schema.Struct({
      outcome: Schema.Literals(outcomes),
      reason: Schema.NullOr(Schema.String),
      records: Schema.Int,
    }),
  ),
}).annotate({ identifier: "InboundRequest" })

const params = { inboundId: Schema.String.check(Schema.isUUID()) }
const path = "/v1/data/inbound"

export class InboundApi extends HttpApiGroup.make("inbound")
  .annotate(ScopesRequired, { read: "imports:write", write: "imports:write" })
  .annotate(OpenApi.Title, "Inbound sources")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: noParameters,
      success: Schema.Struct({
        data: Schema.Array(InboundWire).check(Schema.isMaxLength(inboundSourcesMax)),
        meta: Schema.Struct({ total: Schema.Int, ...metaFields }),
      }).annotate({ identifier: "InboundList" }),
    }),
    HttpApiEndpoint.post("create", path, {
      query: noParameters,
      headers: idempotencyHeaders,
      payload: NewInbound,
      success: WithUrl.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict],
    })
      .middleware(Repeats)
      .annotate(AnswersSecret, true)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.post("test", `${path}/test`, {
      query: noParameters,
      payload: Test,
      success: Schema.Struct({
        data: Schema.Struct({
          records: Schema.Array(
            Schema.Struct({
              kind: Schema.Literals(recordKinds),
              fields: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])),
            }),
          ),
          rejected: Schema.Array(
            Schema.Struct({ index: Schema.Int, reason: Schema.String, message: Schema.String }),
          ),
        }),
        meta: Meta,
      }).annotate({ identifier: "InboundTestAnswer" }),
      error: BadRequest,
    }),
    HttpApiEndpoint.get("get", `${path}/:inboundId`, {
      params,
      query: noParameters,
      success: Answer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", `${path}/:inboundId`, {
      params,
      query: noParameters,
      payload: InboundChange,
      success: Answer,
      error: [BadRequest, NotFound],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", `${path}/:inboundId`, {
      params,
      query: noParameters,
      success: Deleted,
      error: NotFound,
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.post("rotate", `${path}/:inboundId/rotate`, {
      params,
      query: noParameters,
      payload: Rotation,
      success: WithUrl,
      error: [BadRequest, NotFound],
    })
      .annotate(RoleRequired, "member")
      .annotate(BodyOptional, true),
    HttpApiEndpoint.get("history", `${path}/:inboundId/history`, {
      params,
      query: noParameters,
      success: Schema.Struct({
        data: Schema.Array(HistoryRequest).check(Schema.isMaxLength(historyMax)),
        meta: Meta,
      }).annotate({ identifier: "InboundHistory" }),
      error: NotFound,
    }),
    HttpApiEndpoint.post("runAgain", `${path}/:inboundId/history/:requestId/run`, {
      params: { ...params, requestId: Schema.String.check(Schema.isUUID()) },
      query: noParameters,
      success: Schema.Struct({ data: HistoryRequest, meta: Meta }).annotate({
        identifier: "InboundRequestAnswer",
      }),
      error: NotFound,
    }).annotate(RoleRequired, "member"),
  )
  .annotate(RateLimited, { name: "inbound", limit: 60 })
  .pipe(eitherGroup) {}
