// The wire contract of device sign-ins (spec 17.2). A terminal starts one and polls for its tokens without credentials;
// a signed-in user views it and decides.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Meta } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  Forbidden,
  NotFound,
  ServiceUnavailable,
  TooManyRequests,
} from "../../../platform/http/errors.ts"
import { described, requestText } from "../../../platform/http/fields.ts"
import { BodyOptional, JsonBody } from "../../../platform/http/json-body.ts"
import { AddressRateLimit, AddressRateLimited } from "../../../platform/http/rate-limit.ts"
import { RequestErrors } from "../../../platform/http/request-errors.ts"
import { BearerAuthentication } from "../../authentication.ts"
import { perAddress, TokensAnswer } from "../api.ts"

const DeviceLoginStarted = Schema.Struct({
  deviceCode: Schema.String,
  userCode: Schema.String,
  verificationUri: Schema.String,
  verificationUriComplete: Schema.String,
  /** Units: seconds. */
  expiresIn: Schema.Int,
  /** Units: seconds. */
  interval: Schema.Int,
}).annotate({ identifier: "DeviceLoginStarted" })

const DeviceLoginWire = Schema.Struct({
  clientName: Schema.NullOr(Schema.String),
  clientAddress: Schema.String,
  expiresAt: Schema.DateTimeUtcFromString,
}).annotate({ identifier: "DeviceLogin" })

const userCode = described(
  "The code that the terminal shows. Ignores case and hyphens.",
  requestText({ lengthMin: 1, lengthMax: 40 }),
)

export class DeviceLoginsApi extends HttpApiGroup.make("deviceLogins")
  .annotate(OpenApi.Title, "Sign-in")
  .add(
    HttpApiEndpoint.get("get", "/v1/auth/device", {
      query: { userCode },
      success: Schema.Struct({ data: DeviceLoginWire, meta: Meta }).annotate({
        identifier: "DeviceLoginAnswer",
      }),
      error: [NotFound, TooManyRequests],
    }),
    HttpApiEndpoint.post("approve", "/v1/auth/device/approve", {
      payload: Schema.Struct({
        userCode,
        approve: described(
          "`true` signs the terminal in as you. `false` denies it.",
          Schema.Boolean,
        ),
      }),
      success: Schema.Struct({
        data: Schema.Struct({ approved: Schema.Boolean }),
        meta: Meta,
      }).annotate({ identifier: "DeviceLoginDecided" }),
      error: [NotFound, TooManyRequests],
    }),
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(BearerAuthentication)
  .add(
    HttpApiEndpoint.post("start", "/v1/auth/device", {
      payload: Schema.Struct({
        clientName: described(
          "Name of the client, such as `footfall on lee-laptop`, 1 to 100 characters. The console shows it to the user.",
          Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 100 })),
        ),
      }),
      success: Schema.Struct({ data: DeviceLoginStarted, meta: Meta }).annotate({
        identifier: "DeviceLoginStartedAnswer",
      }),
      error: [Forbidden, TooManyRequests],
    })
      .annotate(BodyOptional, true)
      .annotate(AddressRateLimited, perAddress),
    HttpApiEndpoint.post("token", "/v1/auth/device/token", {
      payload: Schema.Struct({
        deviceCode: described("Returns tokens once.", Schema.String),
      }),
      success: TokensAnswer,
      error: [BadRequest, ServiceUnavailable, TooManyRequests],
    }),
  )
  .middleware(JsonBody)
  .middleware(RequestErrors)
  .middleware(AddressRateLimit) {}
