// The wire contract of destinations (spec 5.10). Rotating a secret requires an access token, so it is a separate group.
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopeRequired, ScopesRequired } from "../../access/key-rights.ts"
import { eitherGroup, memberGroup } from "../../access/groups.ts"
import { AnswersSecret, Repeats, idempotencyHeaders } from "../../access/repeats/repeats.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { Deleted } from "../../access/organizations/api.ts"
import { AddressRateLimited } from "../../platform/http/rate-limit.ts"
import { described, noFields } from "../../platform/http/fields.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound, ServiceUnavailable } from "../../platform/http/errors.ts"
import { BodyOptional } from "../../platform/http/json-body.ts"
import { lenient } from "../../platform/http/contract.ts"
import { destinationsLimit, eventTypes } from "./destination.ts"
import {
  DestinationChange,
  newHeaders,
  NewDestination,
  webhookBody,
} from "./destination-request.ts"
import { Destination } from "./destination-wire.ts"
import { RequestPreview } from "./preview.ts"
import { TestResult } from "./test-call.ts"

const path = "/v1/intent/audiences/:audienceId/destinations"
const onePath = "/v1/intent/audiences/:audienceId/destinations/:destinationId"
const uuid = Schema.String.check(Schema.isUUID())
const params = { audienceId: uuid }
const oneParams = { audienceId: uuid, destinationId: uuid }

/** spec 5.10. Units: hours. */
const graceHoursMax = 72

const DestinationAnswer = Schema.Struct({
  data: Schema.Struct({ destination: Destination }),
  meta: Meta,
}).annotate({ identifier: "DestinationAnswer" })

const DestinationWithSecret = Schema.Struct({
  data: Schema.Struct({ destination: Destination, webhookSecret: Schema.NullOr(Schema.String) }),
  meta: Meta,
}).annotate({ identifier: "DestinationWithSecret" })

const DestinationList = Schema.Struct({
  data: Schema.Struct({ destinations: Schema.Array(Destination), total: Schema.Int }),
  meta: Meta,
}).annotate({ identifier: "DestinationList" })

const DestinationTest = Schema.Struct({ data: TestResult, meta: Meta }).annotate({
  identifier: "DestinationTest",
})

const DestinationPreview = Schema.Struct({
  data: Schema.Struct({ request: RequestPreview }),
  meta: Meta,
}).annotate({ identifier: "DestinationPreview" })

export class DestinationsApi extends HttpApiGroup.make("destinations")
  .annotate(ScopesRequired, { read: "intent:read", write: "destinations:write" })
  .annotate(OpenApi.Title, "Destinations")
  .add(
    HttpApiEndpoint.post("create", path, {
      params,
      headers: idempotencyHeaders,
      payload: NewDestination,
      success: DestinationWithSecret.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable],
    })
      .annotate(AnswersSecret, true)
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.post("preview", `${path}/preview`, {
      params,
      payload: Schema.Struct({
        eventType: described(
          "Which event to show. Default: a contact.",
          Schema.optionalKey(Schema.Literals(eventTypes)),
        ),
        headers: newHeaders,
        ...webhookBody,
      }).annotate({ identifier: "DestinationTrial" }),
      success: DestinationPreview,
      error: [BadRequest, NotFound],
    })
      .annotate(ScopeRequired, { scope: "intent:read" })
      .annotate(BodyOptional, true)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("list", path, {
      params,
      success: DestinationList,
      error: NotFound,
    }),
    HttpApiEndpoint.get("get", onePath, {
      params: oneParams,
      success: DestinationAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", onePath, {
      params: oneParams,
      payload: DestinationChange,
      success: DestinationAnswer,
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", onePath, {
      params: oneParams,
      payload: noFields,
      success: Deleted,
      error: [BadRequest, NotFound],
    })
      .annotate(BodyOptional, true)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.post("test", `${onePath}/test`, {
      params: oneParams,
      payload: Schema.Struct({
        eventType: described(
          "Which event to send. Default: the first one the destination subscribes to.",
          Schema.optionalKey(Schema.Literals(eventTypes)),
        ),
      }),
      success: DestinationTest,
      error: [BadRequest, NotFound],
    })
      .annotate(BodyOptional, true)
      .annotate(RoleRequired, "member"),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(AddressRateLimited, destinationsLimit)
  .pipe(eitherGroup) {}

export class DestinationSecretsApi extends HttpApiGroup.make("destinationSecrets")
  .annotate(OpenApi.Title, "Destinations")
  .add(
    HttpApiEndpoint.post("rotate", `${onePath}/rotate-secret`, {
      params: oneParams,
      payload: Schema.Struct({
        graceHours: described(
          "Hours to keep signing with the old secret too. Default 24.",
          Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: graceHoursMax })),
          ),
        ),
      }),
      success: DestinationWithSecret,
      error: [BadRequest, NotFound, Conflict],
    }).annotate(BodyOptional, true),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(RoleRequired, "member")
  .annotate(AddressRateLimited, destinationsLimit)
  .pipe(memberGroup) {}
