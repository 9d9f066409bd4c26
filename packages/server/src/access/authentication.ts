// The credentials of the Data API: header X-API-Key, nothing else (decisions.md 7). One 401 for
// every reason; which one it was is not told. A key in the URL or as bearer token is not looked at.
import { Effect, Layer } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, refuse, Unauthorized } from "../http/errors.ts"
import { RateLimitSubject } from "../http/rate-limit.ts"
import { ApiKeys } from "./api-keys.ts"
import { Caller } from "./caller.ts"
import { mayUse } from "./organization.ts"

export class ApiKeyAuthentication extends HttpApiMiddleware.Service<
  ApiKeyAuthentication,
  { provides: Caller | RateLimitSubject }
>()("@footfall/server/access/ApiKeyAuthentication", {
  error: Unauthorized,
  requiredForClient: true,
  security: { apiKey: HttpApiSecurity.apiKey({ key: "x-api-key" }) },
}) {
  static readonly layer = Layer.effect(
    ApiKeyAuthentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      return ApiKeyAuthentication.of({
        apiKey: (app, { credential }) =>
          keys.authenticate(credential).pipe(
            Effect.catchTag("KeyRefused", () =>
              refuse({
                code: "AUTHENTICATION_ERROR",
                message: "A valid API key is needed in the header X-API-Key.",
              }),
            ),
            Effect.flatMap((caller) =>
              app.pipe(
                Effect.provideService(Caller, caller),
                Effect.provideService(RateLimitSubject, caller.actor.id),
              ),
            ),
          ),
      })
    }),
  )
}

/** Refuses suspended and expired organizations. Comes after the rate limit (decisions.md 1.4). */
export class OrganizationActive extends HttpApiMiddleware.Service<
  OrganizationActive,
  { requires: Caller }
>()("@footfall/server/access/OrganizationActive", { error: Forbidden }) {
  static readonly layer = Layer.succeed(
    OrganizationActive,
    OrganizationActive.of((app) =>
      Effect.gen(function* () {
        const { organizationStatus } = yield* Caller
        if (mayUse(organizationStatus)) return yield* app
        return yield* refuse({
          code: "ORGANIZATION_INACTIVE",
          message: `The organization is ${organizationStatus}.`,
          details: { status: organizationStatus },
        })
      }),
    ),
  )
}
