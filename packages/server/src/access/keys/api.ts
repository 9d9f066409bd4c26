// The wire contract of API keys (spec 2.21, 5.13). A secret is only in the response that creates its key.
import { DateTime, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessLimit, memberGroup } from "../groups.ts"
import { KeyScope, keyScopes, readNetwork } from "../key-rights.ts"
import { AnswersSecret, idempotencyHeaders, Repeats } from "../repeats/repeats.ts"
import { described, requestText } from "../../platform/http/fields.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts"
import { listMeta, listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { lenient } from "../../platform/http/contract.ts"
import { RoleRequired } from "../authentication.ts"
import { Deleted } from "../organizations/api.ts"

/** A key as the API shows it. */
export class ApiKeyWire extends Schema.Opaque<ApiKeyWire>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    prefix: Schema.String,
    last4: Schema.String,
    createdAt: Schema.String,
    lastUsedAt: Schema.NullOr(Schema.String),
    lastUsedFrom: Schema.NullOr(Schema.String),
    expiresAt: Schema.NullOr(Schema.String),
    revokedAt: Schema.NullOr(Schema.String),
    scopes: Schema.Array(KeyScope),
    pixelIds: Schema.NullOr(Schema.Array(Schema.String)),
    allowedNetworks: Schema.NullOr(Schema.Array(Schema.String)),
  }).annotate({ identifier: "ApiKey" }),
) {}

export const CreatedApiKey = Schema.Struct({
  data: Schema.Struct({ apiKey: ApiKeyWire, secret: Schema.String }),
  meta: Meta,
}).annotate({ identifier: "CreatedApiKey" })

/** The end of the year 9999. Units: milliseconds since 1970. */
const endMs = 253_402_300_800_000

/** A date and time with an offset; the decoder alone would accept anything JavaScript parses as a date. */
export const Moment = Schema.Trim.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/, {
    expected: "a time such as 2026-03-11T09:05:00Z",
  }),
).pipe(
  Schema.decodeTo(Schema.DateTimeUtcFromString),
  // An offset may lead past the last representable day. spec 5.7.1.
  Schema.check(
    Schema.makeFilter((time: DateTime.Utc) => DateTime.toEpochMillis(time) < endMs, {
      expected: "a time before the year 10000",
    }),
  ),
)

/** A CIDR network, or one address. */
const KeyNetwork = Schema.Trim.check(
  Schema.makeFilter((text: string) => readNetwork(text) !== undefined, {
    expected: "a network such as 203.0.113.0/24",
  }),
)

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .annotate(OpenApi.Title, "API keys")
  .add(
    HttpApiEndpoint.get("list", "/v1/api-keys", {
      query: listParameters(pageSizeMax),
      success: Schema.Struct({ data: Schema.Array(ApiKeyWire), meta: listMeta }).annotate({
        identifier: "ApiKeyList",
      }),
      error: BadRequest,
    }),
    HttpApiEndpoint.post("create", "/v1/api-keys", {
      headers: idempotencyHeaders,
      payload: Schema.Struct({
        name: described("1 to 100 characters.", requestText({ lengthMin: 1, lengthMax: 100 })),
        expiresAt: described(
          "When the key expires, such as `2026-03-11T09:05:00Z`. Default: never.",
          Schema.optionalKey(Moment),
        ),
        scopes: described(
          "What the key may do. Default: `all`.",
          Schema.optionalKey(
            Schema.Array(KeyScope).check(
              Schema.isMinLength(1),
              Schema.isMaxLength(keyScopes.length),
            ),
          ),
        ),
        pixelIds: described(
          "The pixels of the sites that the key is for: 1 to 50. It sees nothing of others. Default, and with null: every site.",
          Schema.optionalKey(
            Schema.NullOr(
              Schema.Array(Schema.String.check(Schema.isUUID())).check(
                Schema.isMinLength(1),
                Schema.isMaxLength(50),
              ),
            ),
          ),
        ),
        allowedNetworks: described(
          "The networks that the key may be used from, such as `203.0.113.0/24`: 1 to 50. Default, and with null: every network.",
          Schema.optionalKey(
            Schema.NullOr(
              Schema.Array(KeyNetwork).check(Schema.isMinLength(1), Schema.isMaxLength(50)),
            ),
          ),
        ),
      }).annotate({ identifier: "NewApiKey" }),
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict],
    })
      .middleware(Repeats)
      .annotate(AnswersSecret, true),
    HttpApiEndpoint.delete("revoke", "/v1/api-keys/:id", {
      params: { id: Schema.String.check(Schema.isUUID()) },
      success: Deleted,
      error: NotFound,
    }),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(RoleRequired, "admin")
  .annotate(RateLimited, accessLimit)
  .pipe(memberGroup) {}
