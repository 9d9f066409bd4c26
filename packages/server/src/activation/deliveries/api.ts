// The wire contract of deliveries (spec 5.10).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { idempotencyHeaders } from "../../access/repeats/repeats.ts"
import { memberGroup } from "../../access/groups.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { destinationsLimit } from "../destinations/destination.ts"
import { AddressRateLimited } from "../../platform/http/rate-limit.ts"
import { described, noFields } from "../../platform/http/fields.ts"
import { Meta, metaFields } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../platform/http/errors.ts"
import { BodyOptional } from "../../platform/http/json-body.ts"
import { listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { lenient } from "../../platform/http/contract.ts"
import {
  contactOutcomes,
  Delivery,
  DeliveryContact,
  DeliveryFailure,
  FailedContact,
  deliveryStatuses,
  requestedModes,
} from "./delivery.ts"

const path = "/v1/intent/audiences/:audienceId/deliveries"
const id = Schema.String.check(Schema.isUUID())
const params = { audienceId: id }
const deliveryParams = { audienceId: id, deliveryId: id }

const failureParams = {
  ...deliveryParams,
  hashedEmail: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
}

const SyncRequest = Schema.Struct({
  mode: described(
    "`incremental` sends what changed since the last delivery, `full_resync` sends everyone. Default `incremental`.",
    Schema.optionalKey(Schema.Literals(requestedModes)),
  ),
}).annotate({ identifier: "SyncRequest" })

const DeliveryAnswer = Schema.Struct({
  data: Schema.Struct({ delivery: Delivery }),
  meta: Meta,
}).annotate({ identifier: "DeliveryAnswer" })

const FailedContactAnswer = Schema.Struct({
  data: Schema.Struct({ failure: FailedContact }),
  meta: Meta,
}).annotate({ identifier: "FailedContactAnswer" })

const QueuedDelivery = Schema.Struct({
  data: Schema.Struct({ delivery: Delivery }),
  meta: Meta,
})
  .annotate({ identifier: "QueuedDelivery" })
  .pipe(HttpApiSchema.status(202))

const pageMeta = Schema.Struct({
  limit: Schema.Int,
  offset: Schema.Int,
  hasMore: Schema.Boolean,
  nextCursor: Schema.NullOr(Schema.String),
  ...metaFields,
})

export const DeliveryPage = Schema.Struct({
  data: Schema.Struct({ deliveries: Schema.Array(Delivery), total: Schema.Int }),
  meta: pageMeta,
}).annotate({ identifier: "DeliveryPage" })

export const DeliveryFailurePage = Schema.Struct({
  data: Schema.Struct({ failures: Schema.Array(DeliveryFailure), total: Schema.Int }),
  meta: pageMeta,
}).annotate({ identifier: "DeliveryFailurePage" })

const { cursor, limit } = listParameters(pageSizeMax)

export const DeliveryContactPage = Schema.Struct({
  data: Schema.Struct({ contacts: Schema.Array(DeliveryContact) }),
  meta: Schema.Struct({
    limit: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "DeliveryContactPage" })

export class DeliveriesApi extends HttpApiGroup.make("deliveries")
  .annotate(OpenApi.Title, "Deliveries")
  .add(
    HttpApiEndpoint.post(
      "sync",
      "/v1/intent/audiences/:audienceId/destinations/:destinationId/sync",
      {
        params: { audienceId: id, destinationId: id },
        headers: idempotencyHeaders,
        payload: SyncRequest,
        success: [QueuedDelivery, DeliveryAnswer],
        error: [BadRequest, Forbidden, NotFound, Conflict],
      },
    ).annotate(BodyOptional, true),
    HttpApiEndpoint.get("list", path, {
      params,
      query: {
        ...listParameters(pageSizeMax),
        destinationId: Schema.optionalKey(id),
        status: Schema.optionalKey(Schema.Literals(deliveryStatuses)),
      },
      success: DeliveryPage,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.get("get", `${path}/:deliveryId`, {
      params: deliveryParams,
      success: DeliveryAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.get("contacts", `${path}/:deliveryId/contacts`, {
      params: deliveryParams,
      query: {
        limit,
        cursor,
        outcome: described(
          "Return only contacts with this outcome. Without it: failed, skipped and sent ones, in this order.",
          Schema.optionalKey(Schema.Literals(contactOutcomes)),
        ),
      },
      success: DeliveryContactPage,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.get("failures", `${path}/:deliveryId/failures`, {
      params: deliveryParams,
      query: listParameters(pageSizeMax),
      success: DeliveryFailurePage,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.get("failure", `${path}/:deliveryId/failures/:hashedEmail`, {
      params: failureParams,
      success: FailedContactAnswer,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.post("retryFailure", `${path}/:deliveryId/failures/:hashedEmail/retry`, {
      params: failureParams,
      payload: noFields,
      success: QueuedDelivery,
      error: [BadRequest, Forbidden, NotFound, Conflict],
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.post("retry", `${path}/:deliveryId/retry`, {
      params: deliveryParams,
      payload: noFields,
      success: QueuedDelivery,
      error: [BadRequest, Forbidden, NotFound, Conflict],
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.post("approve", `${path}/:deliveryId/approve`, {
      params: deliveryParams,
      payload: noFields,
      success: DeliveryAnswer,
      error: [BadRequest, NotFound, Conflict],
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.post("cancel", `${path}/:deliveryId/cancel`, {
      params: deliveryParams,
      payload: noFields,
      success: DeliveryAnswer,
      error: [BadRequest, NotFound, Conflict],
    }).annotate(BodyOptional, true),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(RoleRequired, "member")
  .annotate(AddressRateLimited, destinationsLimit)
  .pipe(memberGroup) {}
