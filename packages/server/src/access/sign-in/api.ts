// The wire contract of tokens (spec 5.12). Log-in, refresh and invitation need no credentials
// and are limited by address and account; the status of the organization refuses no one here.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { AddressRateLimit, AddressRateLimited } from "../../http/rate-limit.ts"
import { described } from "../../http/fields.ts"
import { Meta } from "../../http/envelope.ts"
import { ServiceUnavailable, TooManyRequests, Unauthorized } from "../../http/errors.ts"
import { BodyOptional, JsonBody } from "../../http/json-body.ts"
import { RequestErrors } from "../../http/request-errors.ts"
import { lengthAtLeast, lengthAtMost, requestText } from "../../http/request-text.ts"
import { BearerAuthentication } from "../authentication.ts"
import { OrganizationWire } from "../organizations/organization-wire.ts"
import { passwordLengthMax, passwordLengthMin } from "../password.ts"
import { Role } from "../role.ts"
import { User } from "../user.ts"

export const Tokens = Schema.Struct({
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  /** Units: seconds. */
  expiresIn: Schema.Int,
  refreshToken: Schema.String,
}).annotate({ identifier: "Tokens" })

const TokensAnswer = Schema.Struct({ data: Tokens, meta: Meta }).annotate({
  identifier: "TokensAnswer",
})

export const Me = Schema.Struct({
  user: User,
  organization: OrganizationWire,
  role: Role,
  organizations: Schema.Array(
    Schema.Struct({ id: Schema.String, name: Schema.String, slug: Schema.String, role: Role }),
  ),
}).annotate({ identifier: "Me" })

const organizationId = described(
  "Organization the token is for. Default: the one the user joined first.",
  Schema.optionalKey(Schema.String.check(Schema.isUUID())),
)

/** Not trimmed. Units: Unicode code points. spec 1.5, 5.12. */
const newPassword = Schema.String.check(
  lengthAtLeast(passwordLengthMin),
  lengthAtMost(passwordLengthMax),
)

/** A wrong password counts: it is what the limit is for. */ // spec 10.2
export const perAddress = { name: "auth", limit: 10, countsUnauthorized: true }

const errors = [ServiceUnavailable, TooManyRequests, Unauthorized]

export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.post("logout", "/v1/auth/logout", {
      payload: Schema.Struct({
        refreshToken: described(
          "The session to end. Default: every session of the user.",
          Schema.optionalKey(Schema.String),
        ),
      }),
      success: Schema.Struct({
        data: Schema.Struct({ loggedOut: Schema.Literal(true) }),
        meta: Meta,
      }).annotate({ identifier: "LoggedOut" }),
    }).annotate(BodyOptional, true),
    HttpApiEndpoint.get("me", "/v1/auth/me", {
      success: Schema.Struct({ data: Me, meta: Meta }).annotate({ identifier: "MeAnswer" }),
    }),
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(BearerAuthentication)
  .add(
    HttpApiEndpoint.post("login", "/v1/auth/login", {
      payload: Schema.Struct({
        email: described("Email address of the user.", Schema.String),
        password: described("Password of the user.", Schema.String),
        organizationId,
      }),
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
    HttpApiEndpoint.post("acceptInvite", "/v1/auth/accept-invite", {
      payload: Schema.Struct({
        token: described("The token of the invitation.", Schema.String),
        password: described(
          `New password, ${passwordLengthMin} to ${passwordLengthMax} characters.`,
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
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(AddressRateLimit) {}
