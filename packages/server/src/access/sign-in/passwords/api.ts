// The wire contract of passwords (spec 5.12): changed by a signed-in user, or reset by email.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Meta } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  Forbidden,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
} from "../../../platform/http/errors.ts"
import { described } from "../../../platform/http/fields.ts"
import { JsonBody } from "../../../platform/http/json-body.ts"
import { AddressRateLimit, AddressRateLimited } from "../../../platform/http/rate-limit.ts"
import { RequestErrors } from "../../../platform/http/request-errors.ts"
import { BearerAuthentication } from "../../authentication.ts"
import { passwordLengthMax, passwordLengthMin } from "../../password.ts"
import { newPassword, perAddress } from "../api.ts"

const PasswordChanged = Schema.Struct({
  data: Schema.Struct({ changed: Schema.Literal(true) }),
  meta: Meta,
}).annotate({ identifier: "PasswordChanged" })

const next = described(`${passwordLengthMin} to ${passwordLengthMax} characters.`, newPassword)

export class PasswordsApi extends HttpApiGroup.make("passwords")
  .annotate(OpenApi.Title, "Sign-in")
  .add(
    HttpApiEndpoint.post("change", "/v1/auth/password", {
      payload: Schema.Struct({
        currentPassword: described("The user's current password.", Schema.String),
        newPassword: next,
        refreshToken: described(
          "The session to keep. Default: the one in the console's cookie.",
          Schema.optionalKey(Schema.String),
        ),
      }),
      success: PasswordChanged,
      error: [BadRequest, ServiceUnavailable, TooManyRequests],
    }),
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(BearerAuthentication)
  .add(
    HttpApiEndpoint.post("requestReset", "/v1/auth/password/reset-request", {
      payload: Schema.Struct({
        email: described("Email address of the user.", Schema.String),
      }),
      success: Schema.Struct({
        data: Schema.Struct({ requested: Schema.Literal(true) }),
        meta: Meta,
      }).annotate({ identifier: "PasswordResetRequested" }),
      error: [Forbidden, TooManyRequests],
    }).annotate(AddressRateLimited, perAddress),
    HttpApiEndpoint.post("reset", "/v1/auth/password/reset", {
      payload: Schema.Struct({
        token: described("The token that was emailed. Works once.", Schema.String),
        newPassword: next,
      }),
      success: Schema.Struct({
        data: Schema.Struct({
          changed: Schema.Literal(true),
          /** Organizations to join again, because the address had never been proven. */
          invitationsSent: Schema.Int,
        }),
        meta: Meta,
      }).annotate({ identifier: "PasswordReset" }),
      error: [ServiceUnavailable, TooManyRequests, Unauthorized],
    }).annotate(AddressRateLimited, perAddress),
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(AddressRateLimit) {}
