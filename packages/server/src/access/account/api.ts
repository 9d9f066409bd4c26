// The wire contract of the account (spec 5.3). Accepts organizations of any status, since the status is what it
// reports.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../key-rights.ts"
import { ApiKeyAuthentication } from "../authentication.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { noParameters } from "../../platform/http/fields.ts"
import { RateLimit, RateLimited } from "../../platform/http/rate-limit.ts"
import { RequestErrors } from "../../platform/http/request-errors.ts"
import { AccountStatus } from "./account.ts"

export class AccountApi extends HttpApiGroup.make("account")
  .annotate(ScopesRequired, { read: null, write: null })
  .annotate(OfSites, "organization")
  .annotate(OpenApi.Title, "Account")
  .add(
    HttpApiEndpoint.get("status", "/v1/data/account", {
      query: noParameters,
      success: Schema.Struct({ data: AccountStatus, meta: Meta }).annotate({
        identifier: "AccountStatusAnswer",
      }),
    }),
  )
  .annotate(RateLimited, { name: "account", limit: 60 })
  .middleware(RequestErrors)
  .middleware(RateLimit)
  .middleware(ApiKeyAuthentication) {}
