// The wire contract of user ids that strangers share (spec 15.2.12).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../../access/key-rights.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { Deleted } from "../../../access/organizations/api.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { noParameters } from "../../../platform/http/fields.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"

const path = "/v1/data/pixels/:id/shared-user-ids"
const uuid = Schema.String.check(Schema.isUUID())
const params = { id: uuid }

export class SharedUserIdWire extends Schema.Opaque<SharedUserIdWire>()(
  Schema.Struct({
    id: Schema.String,
    userId: Schema.NullOr(Schema.String),
    sharedAt: Schema.String,
  }).annotate({ identifier: "SharedUserId" }),
) {}

export class SharedUserIdsApi extends HttpApiGroup.make("sharedUserIds")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "site")
  .annotate(OpenApi.Title, "Pixels")
  .add(
    HttpApiEndpoint.get("list", path, {
      params,
      query: noParameters,
      success: Schema.Struct({ data: Schema.Array(SharedUserIdWire), meta: Meta }).annotate({
        identifier: "SharedUserIdList",
      }),
      error: NotFound,
    }),
    HttpApiEndpoint.delete("release", `${path}/:sharedUserId`, {
      params: { ...params, sharedUserId: uuid },
      query: noParameters,
      success: Deleted,
      error: NotFound,
    }),
  )
  .annotate(RoleRequired, "member")
  .annotate(RateLimited, { name: "pixels", limit: 60 })
  .pipe(eitherGroup) {}
