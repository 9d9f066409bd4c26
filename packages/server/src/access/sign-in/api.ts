// The wire contract of tokens (spec 5.12). Sign-in, refresh and invitation need no credentials and are limited by
// address and account. Organizations of any status are accepted.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AddressRateLimit, AddressRateLimited } from "../../platform/http/rate-limit.ts"
import {
  described,
  lengthAtLeast,
  lengthAtMost,
  noFields,
  requestText,
} from "../../platform/http/fields.ts"
import { Meta } from "../../platform/http/envelope.ts"
import {
  Forbidden,
  NotFound,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
} from "../../platform/http/errors.ts"
import { BodyOptional, JsonBody } from "../../platform/http/json-body.ts"
import { RequestErrors } from "../../platform/http/request-errors.ts"
import { BearerAuthentication } from "../authentication.ts"
import { OrganizationWire } from "../organizations/organization-wire.ts"
import { passwordLengthMax, passwordLengthMin } from "../password.ts"
import { Role } from "../role.ts"
import { User } from "../user.ts"
import { JoinedOrganization } from "./store.ts"

export const Tokens = Schema.Struct({
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  /** Units: seconds. */
  expiresIn: Schema.Int,
  refreshToken: Schema.String,
}).annotate({ identifier: "Tokens" })

/** The tokens of a console session; its refresh token is in a cookie that scripts can't read. */
export const SessionToken = Schema.Struct({
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  /** Units: seconds. */
  expiresIn: Schema.Int,
}).annotate({ identifier: "SessionToken" })

const SessionAnswer = Schema.Struct({ data: SessionToken, meta: Meta }).annotate({
  identifier: "SessionAnswer",
})

/** A session of the user. It lasts as long as its refresh tokens are exchanged. */
export const Session = Schema.Struct({
  id: Schema.String,
  isCurrent: Schema.Boolean,
  isConsole: Schema.Boolean,
  userAgent: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  lastUsedAt: Schema.String,
  expiresAt: Schema.String,
}).annotate({ identifier: "UserSession" })

const SessionsEnded = Schema.Struct({
  data: Schema.Struct({ ended: Schema.Int }),
  meta: Meta,
}).annotate({ identifier: "SessionsEnded" })

const LoggedOut = Schema.Struct({
  data: Schema.Struct({ loggedOut: Schema.Literal(true) }),
  meta: Meta,
}).annotate({ identifier: "LoggedOut" })

const InvitationAnswer = Schema.Struct({
  data: Schema.Struct({
    organization: Schema.Struct({ name: Schema.String }),
    email: Schema.String,
    role: Role,
  }).annotate({ identifier: "Invitation" }),
  meta: Meta,
}).annotate({ identifier: "InvitationAnswer" })

const password = {
  email: described("Email address of the user.", Schema.String),
  password: described("Password of the user.", Schema.String),
}

export const TokensAnswer = Schema.Struct({ data: Tokens, meta: Meta }).annotate({
  identifier: "TokensAnswer",
})

export const Me = Schema.Struct({
  user: User,
  organization: OrganizationWire,
  role: Role,
  organizations: Schema.Array(JoinedOrganization),
}).annotate({ identifier: "Me" })

const organizationId = described(
  "Organization to sign in to. Default: the one the user joined first.",
  Schema.optionalKey(Schema.String.check(Schema.isUUID())),
)

/** Not trimmed. Units: Unicode code points. */ // spec 1.5, 5.12
export const newPassword = Schema.String.check(
  lengthAtLeast(passwordLengthMin),
  lengthAtMost(passwordLengthMax),
)

/** A wrong password counts, because that is what the limit is for. */ // spec 10.2
export const perAddress = { name: "auth", limit: 10, countsUnauthorized: true }

const errors = [ServiceUnavailable, TooManyRequests, Unauthorized]

export class AuthApi extends HttpApiGroup.make("auth")
  .annotate(OpenApi.Title, "Sign-in")
  .add(
    HttpApiEndpoint.post("logout", "/v1/auth/logout", {
      payload: Schema.Struct({
        refreshToken: described(
          "The session to end. Default: every session of the user.",
          Schema.optionalKey(Schema.String),
        ),
      }),
      success: LoggedOut,
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.get("me", "/v1/auth/me", {
      success: Schema.Struct({ data: Me, meta: Meta }).annotate({ identifier: "MeAnswer" }),
    }),
  )
  .add(
    HttpApiEndpoint.post("join", "/v1/auth/join", {
      payload: Schema.Struct({
        token: described("The token of the invitation.", Schema.String),
        preview: described(
          "Returns only the organization and the role. The invitation stays open.",
          Schema.optionalKey(Schema.Boolean),
        ),
      }),
      success: Schema.Struct({ data: JoinedOrganization, meta: Meta }).annotate({
        identifier: "JoinedAnswer",
      }),
      error: NotFound,
    }),
  )
  .add(
    HttpApiEndpoint.get("sessions", "/v1/auth/sessions", {
      success: Schema.Struct({ data: Schema.Array(Session), meta: Meta }).annotate({
        identifier: "UserSessionList",
      }),
    }),
    HttpApiEndpoint.delete("endOne", "/v1/auth/sessions/:sessionId", {
      params: { sessionId: Schema.String.check(Schema.isUUID()) },
      success: Schema.Struct({
        data: Schema.Struct({ deleted: Schema.Literal(true) }),
        meta: Meta,
      }).annotate({ identifier: "SessionDeleted" }),
      error: NotFound,
    }),
    HttpApiEndpoint.post("endOthers", "/v1/auth/sessions/end-others", {
      payload: noFields,
      success: SessionsEnded,
    }).annotate(BodyOptional, true),
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(BearerAuthentication)
  .add(
    HttpApiEndpoint.post("login", "/v1/auth/login", {
      payload: Schema.Struct({ ...password, organizationId }),
      success: TokensAnswer,
      error: errors,
    }).annotate(AddressRateLimited, perAddress),
    HttpApiEndpoint.post("refresh", "/v1/auth/refresh", {
      payload: Schema.Struct({
        refreshToken: described("Works once.", Schema.String),
        organizationId,
      }),
      success: TokensAnswer,
      error: errors,
    }),
    HttpApiEndpoint.post("startSession", "/v1/auth/session", {
      payload: Schema.Struct({ ...password, organizationId }),
      success: SessionAnswer,
      error: [...errors, Forbidden],
    }).annotate(AddressRateLimited, perAddress),
    HttpApiEndpoint.post("refreshSession", "/v1/auth/session/refresh", {
      payload: Schema.Struct({ organizationId }),
      success: SessionAnswer,
      error: [...errors, Forbidden],
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.delete("endSession", "/v1/auth/session", {
      success: LoggedOut,
      error: [ServiceUnavailable, TooManyRequests, Forbidden],
    }),
    HttpApiEndpoint.post("acceptInvite", "/v1/auth/accept-invite", {
      payload: Schema.Struct({
        token: described("The token of the invitation.", Schema.String),
        password: described(
          `The password of the account. For a new account, a password of ${passwordLengthMin} to ${passwordLengthMax} characters.`,
          newPassword,
        ),
        name: described(
          "Name of the user, 1 to 160 characters.",
          Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 160 })),
        ),
      }),
      success: TokensAnswer,
      error: errors,
    }).annotate(AddressRateLimited, perAddress),
    HttpApiEndpoint.post("invitation", "/v1/auth/invitation", {
      payload: Schema.Struct({ token: described("The token of the invitation.", Schema.String) }),
      success: InvitationAnswer,
      error: errors,
    }).annotate(AddressRateLimited, perAddress),
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(AddressRateLimit) {}
