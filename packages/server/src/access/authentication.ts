// Authenticates a request (spec 7): an API key in X-API-Key, an access token as bearer, or either; the bearer takes
// precedence if both are sent. Every failure is the same 401, without its reason. A key in the URL or as a bearer token
// is ignored.
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import {
  Forbidden,
  notFound,
  refuse,
  ServiceUnavailable,
  Unauthorized,
} from "../platform/http/errors.ts"
import { RateLimitSubject } from "../platform/http/rate-limit.ts"
import { ApiKeys, type NetworkRefused } from "./api-keys.ts"
import { Caller } from "./caller.ts"
import {
  isForSites,
  type notForSiteKeys,
  requireScope,
  requireScopeBeside,
  scopeOf,
  SeenOnSites,
  sitesRule,
} from "./key-rights.ts"
import { Memberships } from "./members/memberships.ts"
import { mayUse } from "./organization.ts"
import { isAtLeast, type Role } from "./role.ts"
import { AccessTokens, TokenRefused } from "./tokens/access-tokens.ts"

export const keyScheme = HttpApiSecurity.apiKey({ key: "x-api-key" })

/** An API key, or the access token of a console session. */ // K of spec 5, spec 17.1.5
export class ApiKeyAuthentication extends HttpApiMiddleware.Service<
  ApiKeyAuthentication,
  { provides: Caller | RateLimitSubject }
>()("@footfall/server/access/ApiKeyAuthentication", {
  error: [Unauthorized, Forbidden, ServiceUnavailable],
  requiredForClient: true,
  security: { apiKey: keyScheme },
}) {
  static readonly layer = Layer.effect(
    ApiKeyAuthentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const holderOf = yield* tokenHolder
      const refused = unauthorized(
        "Missing or invalid API key. Send a valid key in the X-API-Key header.",
      )
      return ApiKeyAuthentication.of({
        apiKey: (app, { credential }) =>
          Effect.gen(function* () {
            const { headers } = yield* HttpServerRequest.HttpServerRequest
            const token = bearerOf(headers["authorization"])
            if (headers["x-api-key"] === undefined && token !== undefined) {
              return yield* as(yield* holderOf(token, { isConsole: true }), app)
            }
            const caller = yield* Effect.catchTags(keys.authenticate(credential), {
              KeyRefused: () => refused,
              NetworkRefused: networkRefused,
            })
            return yield* as(caller, app)
          }),
      })
    }),
  )
}

/** The token of an `Authorization` header with the scheme `Bearer`. */
const bearerOf = (authorization: string | undefined): Redacted.Redacted | undefined => {
  const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? "")?.[1]
  return token === undefined ? undefined : Redacted.make(token)
}

/** An access token only. */ // B of spec 5
export class BearerAuthentication extends HttpApiMiddleware.Service<
  BearerAuthentication,
  { provides: Caller | RateLimitSubject }
>()("@footfall/server/access/BearerAuthentication", {
  error: [Unauthorized, ServiceUnavailable],
  requiredForClient: true,
  security: { bearer: HttpApiSecurity.bearer },
}) {
  static readonly layer = Layer.effect(
    BearerAuthentication,
    Effect.gen(function* () {
      const holderOf = yield* tokenHolder
      return BearerAuthentication.of({
        bearer: (app, { credential }) =>
          Effect.flatMap(holderOf(credential), (caller) => as(caller, app)),
      })
    }),
  )
}

/** An access token or an API key; the token wins, even if it is invalid. */ // BK of spec 5
export class EitherAuthentication extends HttpApiMiddleware.Service<
  EitherAuthentication,
  { provides: Caller | RateLimitSubject }
>()("@footfall/server/access/EitherAuthentication", {
  error: [Unauthorized, Forbidden, ServiceUnavailable],
  requiredForClient: true,
  // Tried in this order; if both fail, the last failure is returned.
  security: { apiKey: keyScheme, bearer: HttpApiSecurity.bearer },
}) {
  static readonly layer = Layer.effect(
    EitherAuthentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const holderOf = yield* tokenHolder
      const outside = makeOutside()
      const refused = unauthorized(
        "Missing or invalid credentials. Send a valid access token or API key.",
      )
      return EitherAuthentication.of({
        apiKey: (app, { credential }) =>
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            if (request.headers["authorization"] !== undefined) return yield* refused
            const caller = yield* Effect.catchTags(keys.authenticate(credential), {
              KeyRefused: () => refused,
              NetworkRefused: outside.note(request),
            })
            return yield* as(caller, app)
          }),
        bearer: (app, { credential }) =>
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            yield* outside.refuse(request)
            // Neither was sent, or only an invalid key.
            if (request.headers["authorization"] === undefined) return yield* refused
            return yield* as(yield* holderOf(credential), app)
          }),
      })
    }),
  )
}

/** Annotation: the lowest role that may use an endpoint or group. Default: any member. */
export class RoleRequired extends Context.Service<RoleRequired, Role>()(
  "@footfall/server/access/RoleRequired",
) {}

/**
 * Annotation: every method except GET requires the role `member`, unless the endpoint sets another. API keys have it;
 * console sessions may not.
 */
export class WritesNeedMember extends Context.Service<WritesNeedMember, boolean>()(
  "@footfall/server/access/WritesNeedMember",
) {}

/** Annotation: a group that is only for organizations with `intent`. */
export class IntentRequired extends Context.Service<IntentRequired, boolean>()(
  "@footfall/server/access/IntentRequired",
) {}

/**
 * Rejects suspended and expired organizations, those without what the group requires, callers below the endpoint's role,
 * and keys without its scope or site. Runs after the rate limit, and before a stored response is repeated.
 */ // spec 1.4
export class OrganizationActive extends HttpApiMiddleware.Service<
  OrganizationActive,
  { requires: Caller }
>()("@footfall/server/access/OrganizationActive", { error: Forbidden }) {
  static readonly layer = Layer.effect(
    OrganizationActive,
    Effect.map(SeenOnSites, (seen) =>
      OrganizationActive.of((app, { endpoint, group }) => {
        const required =
          Context.getOrUndefined(endpoint.annotations, RoleRequired) ??
          Context.getOrUndefined(group.annotations, RoleRequired) ??
          (endpoint.method !== "GET" && Context.getOrUndefined(group.annotations, WritesNeedMember)
            ? "member"
            : undefined)
        const needsIntent = Context.getOrUndefined(group.annotations, IntentRequired) === true
        const scope = scopeOf(endpoint, group)
        const sites = sitesRule(endpoint, group)
        return Effect.gen(function* () {
          const caller = yield* Caller
          const { key, role } = caller
          yield* refuseInactive(caller)
          if (needsIntent && !caller.isIntentEnabled) {
            return yield* refuse({
              code: "FORBIDDEN",
              message:
                "Intent is not enabled for this organization. Ask your server's operator to enable it.",
              details: { reason: "intent_disabled" },
            })
          }
          if (required !== undefined && !isAtLeast(role, required)) {
            return yield* refuse({
              code: "FORBIDDEN",
              message: `Your role is ${role}. This requires the ${required} role or higher.`,
              details: { required },
            })
          }
          if (key === undefined) return yield* app
          if (scope !== null) yield* requireScope(key, scope)
          yield* requireScopeBeside(key, group)
          if (key.pixelIds === null) return yield* app
          if (yield* isForSites(seen, sites, { ...caller, pixelIds: key.pixelIds })) {
            return yield* app
          }
          // Every operation on a site, a person or a company declares this error.
          return yield* notFound as unknown as typeof notForSiteKeys
        })
      }),
    ),
  )
}

/** The 403 for a caller who is no longer an admin. */
export const adminRequired = refuse({
  code: "FORBIDDEN",
  message: "This requires the admin role, which you no longer have.",
  details: { required: "admin" },
})

/** Fails with the 403 for a suspended or expired organization. */
const refuseInactive = ({ organizationStatus }: Caller) =>
  mayUse(organizationStatus)
    ? Effect.void
    : refuse({
        code: "ORGANIZATION_INACTIVE",
        message: `The organization is ${organizationStatus}.`,
        details: { status: organizationStatus },
      })

/** The 403 for a key that is used from another network than those it allows. */
const networkRefused = ({ address }: NetworkRefused) =>
  refuse({
    code: "NETWORK_NOT_ALLOWED",
    message: `This API key may not be used from ${address}. It is limited to certain networks.`,
  })

/**
 * Where a key and a token are tried in turn, the last failure is returned. This keeps the 403 of a key for the token's turn.
 */
export const makeOutside = () => {
  const errors = new WeakMap<object, NetworkRefused>()
  return {
    note: (request: object) => (error: NetworkRefused) => {
      errors.set(request, error)
      return networkRefused(error)
    },
    refuse: (request: object) => {
      const error = errors.get(request)
      return error === undefined ? Effect.void : networkRefused(error)
    },
  }
}

/** Returns the caller of an access token, or the 401. `isConsole`: accepts only console tokens. */
export const tokenHolder = Effect.gen(function* () {
  const tokens = yield* AccessTokens
  const memberships = yield* Memberships
  return (token: Redacted.Redacted, { isConsole = false } = {}) => {
    const refused = unauthorized(
      isConsole
        ? "Missing or invalid API key. Send a valid key in the X-API-Key header."
        : "Missing or invalid access token. Send a valid token in the Authorization header, as a Bearer token.",
    )
    return tokens.read(token).pipe(
      Effect.filterOrFail(
        (read) => read.isConsole || !isConsole,
        () => new TokenRefused(),
      ),
      Effect.flatMap(({ member, sessionId }) =>
        Effect.map(memberships.find(member), (caller) => ({ ...caller, sessionId })),
      ),
      Effect.catchTags({
        TokenRefused: () => refused,
        NoMember: () => refused,
        KeysUnavailable: () =>
          refuse({
            code: "SERVICE_UNAVAILABLE",
            message: "The token issuer's keys could not be loaded. Try again in a moment.",
          }),
      }),
    )
  }
})

export const unauthorized = (message: string) => refuse({ code: "AUTHENTICATION_ERROR", message })

/** Runs the rest of the request as the caller. */
const as = <A, E, R>(caller: Caller, app: Effect.Effect<A, E, R>) =>
  app.pipe(
    Effect.provideService(Caller, caller),
    Effect.provideService(RateLimitSubject, caller.actor.id),
  )
