// The wire contract of visitor webhooks (spec 2.20, 5.6).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OfSites, ScopeRequired, ScopesRequired } from "../../access/key-rights.ts"
import { AnswersSecret, Repeats, idempotencyHeaders } from "../../access/repeats/repeats.ts"
import { eitherGroup } from "../../access/groups.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { Deleted } from "../../access/organizations/api.ts"
import { Meta, metaFields } from "../../platform/http/envelope.ts"
import {
  BadRequest,
  Conflict,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../platform/http/errors.ts"
import { BodyOptional } from "../../platform/http/json-body.ts"
import { listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { noFields, noParameters } from "../../platform/http/fields.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { DeliveryRecord, DeliveryStatus, DeliveryWithPayload } from "./delivery-record.ts"
import { NewWebhook, SecretRotation, Webhook, WebhookChange, WebhookTrial } from "./webhook.ts"

const path = "/v1/data/webhooks"
const uuid = Schema.String.check(Schema.isUUID())
const params = { id: uuid }

const WebhookList = Schema.Struct({
  data: Schema.Array(Webhook),
  meta: Schema.Struct({ total: Schema.Int, ...metaFields }),
}).annotate({ identifier: "VisitorWebhookList" })

const WebhookAnswer = Schema.Struct({ data: Webhook, meta: Meta }).annotate({
  identifier: "VisitorWebhookAnswer",
})

/** A message to people is not signed, so its webhook has no secret. */ // spec 14.3
const CreatedAnswer = Schema.Struct({
  data: Schema.Struct({ webhook: Webhook, webhookSecret: Schema.NullOr(Schema.String) }),
  meta: Meta,
}).annotate({ identifier: "CreatedVisitorWebhook" })

const RevealedAnswer = Schema.Struct({
  data: Schema.Struct({ webhook: Webhook, webhookSecret: Schema.String }),
  meta: Meta,
}).annotate({ identifier: "RevealedVisitorWebhook" })

const PreviewAnswer = Schema.Struct({
  data: Schema.Struct({
    message: Schema.NullOr(Schema.String),
    told: Schema.Int,
    heldBack: Schema.Struct({ again: Schema.Int, suppressed: Schema.Int }),
    byAgain: Schema.Struct({
      every_session: Schema.Int,
      "1h": Schema.Int,
      "24h": Schema.Int,
      "7d": Schema.Int,
      once: Schema.Int,
    }),
    samples: Schema.Array(
      Schema.Struct({
        at: Schema.String,
        visitor: Schema.NullOr(
          Schema.Struct({
            emailHash: Schema.String,
            email: Schema.NullOr(Schema.String),
            fullName: Schema.NullOr(Schema.String),
          }),
        ),
        company: Schema.NullOr(
          Schema.Struct({ domain: Schema.String, name: Schema.NullOr(Schema.String) }),
        ),
        page: Schema.NullOr(
          Schema.Struct({
            path: Schema.String,
            title: Schema.NullOr(Schema.String),
            secondsVisible: Schema.NullOr(Schema.Int),
          }),
        ),
        told: Schema.Boolean,
      }),
    ),
  }),
  meta: Meta,
}).annotate({ identifier: "WebhookPreview" })

const TestAnswer = Schema.Struct({
  data: Schema.Struct({
    ok: Schema.Boolean,
    statusCode: Schema.NullOr(Schema.Int),
    latencyMs: Schema.Int,
    error: Schema.NullOr(Schema.String),
  }),
  meta: Meta,
}).annotate({ identifier: "WebhookTestAnswer" })

const DeliveryPage = Schema.Struct({
  data: Schema.Struct({ deliveries: Schema.Array(DeliveryRecord), total: Schema.Int }),
  meta: Schema.Struct({
    limit: Schema.Int,
    offset: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "WebhookDeliveryPage" })

const DeliveryAnswer = Schema.Struct({ data: DeliveryWithPayload, meta: Meta }).annotate({
  identifier: "WebhookDeliveryAnswer",
})

const RedeliveryAnswer = Schema.Struct({
  data: Schema.Struct({ delivery: DeliveryRecord }),
  meta: Meta,
}).annotate({ identifier: "WebhookRedelivery" })

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .annotate(ScopesRequired, { read: "visitors:read", write: "destinations:write" })
  .annotate(OfSites, "handler")
  .annotate(OpenApi.Title, "Visitor webhooks")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: noParameters,
      success: WebhookList,
    }),
    HttpApiEndpoint.post("create", path, {
      query: noParameters,
      headers: idempotencyHeaders,
      payload: NewWebhook,
      success: CreatedAnswer.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict],
    })
      .annotate(AnswersSecret, true)
      .middleware(Repeats),
    HttpApiEndpoint.post("preview", `${path}/preview`, {
      query: noParameters,
      payload: WebhookTrial,
      success: PreviewAnswer,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    }).annotate(ScopeRequired, { scope: "visitors:read" }),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      query: noParameters,
      success: WebhookAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", `${path}/:id`, {
      params,
      query: noParameters,
      payload: WebhookChange,
      success: WebhookAnswer,
      error: [BadRequest, NotFound, Conflict],
    }),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      query: noParameters,
      success: Deleted,
      error: NotFound,
    }),
    HttpApiEndpoint.post("rotateSecret", `${path}/:id/rotate-secret`, {
      params,
      query: noParameters,
      payload: SecretRotation,
      success: RevealedAnswer,
      error: [NotFound, Conflict],
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.post("test", `${path}/:id/test`, {
      params,
      query: noParameters,
      payload: noFields,
      success: TestAnswer,
      error: NotFound,
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.get("deliveries", `${path}/:id/deliveries`, {
      params,
      query: {
        ...listParameters(pageSizeMax),
        status: Schema.optionalKey(DeliveryStatus),
        visitorHash: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))),
      },
      success: DeliveryPage,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.get("delivery", `${path}/:id/deliveries/:deliveryId`, {
      params: { ...params, deliveryId: uuid },
      query: noParameters,
      success: DeliveryAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.post("redeliver", `${path}/:id/deliveries/:deliveryId/redeliver`, {
      params: { ...params, deliveryId: uuid },
      query: noParameters,
      payload: noFields,
      success: RedeliveryAnswer.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Conflict],
    }).annotate(BodyOptional, true),
  )
  .annotate(RoleRequired, "member")
  .annotate(RateLimited, { name: "webhooks", limit: 60 })
  .pipe(eitherGroup) {}
