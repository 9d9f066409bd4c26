// The wire contract of saved audiences (spec 5.8).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../../access/key-rights.ts"
import { idempotencyHeaders, Repeats } from "../../../access/repeats/repeats.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { IntentRequired, RoleRequired } from "../../../access/authentication.ts"
import { Deleted } from "../../../access/organizations/api.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../../platform/http/errors.ts"
import { listMeta, listParameters, pageSizeMax } from "../../../platform/http/lists.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { lenient } from "../../../platform/http/contract.ts"
import { Audience, AudienceChange, AudienceStatus, NewAudience } from "./audience.ts"

const path = "/v1/intent/audiences"
const params = { id: Schema.String.check(Schema.isUUID()) }

/** Shared with runs, results and exports. */ // spec 10.2
export const audiencesLimit = { name: "audiences", limit: 120 }

export const AudiencePage = Schema.Struct({
  data: Schema.Array(Audience),
  meta: listMeta,
}).annotate({ identifier: "AudiencePage" })

const AudienceAnswer = Schema.Struct({ data: Audience, meta: Meta }).annotate({
  identifier: "AudienceAnswer",
})

export class AudiencesApi extends HttpApiGroup.make("audiences")
  .annotate(ScopesRequired, { read: "intent:read", write: "intent:write" })
  .annotate(OpenApi.Title, "Audiences")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: { status: Schema.optionalKey(AudienceStatus), ...listParameters(pageSizeMax) },
      success: AudiencePage,
      error: BadRequest,
    }),
    HttpApiEndpoint.post("create", path, {
      headers: idempotencyHeaders,
      payload: NewAudience,
      success: AudienceAnswer.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict],
    })
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      success: AudienceAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", `${path}/:id`, {
      params,
      payload: AudienceChange,
      success: AudienceAnswer,
      error: [BadRequest, Forbidden, NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      success: Deleted,
      error: NotFound,
    }).annotate(RoleRequired, "member"),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(IntentRequired, true)
  .annotate(RateLimited, audiencesLimit)
  .pipe(eitherGroup) {}
