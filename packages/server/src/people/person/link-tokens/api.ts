// The wire contract of tokens for mail links (spec 5.1, 6.7).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../../access/key-rights.ts"
import { AnswersSecret, Repeats, idempotencyHeaders } from "../../../access/repeats/repeats.ts"
import { keyGroup } from "../../../access/groups.ts"
import { described, noParameters } from "../../../platform/http/fields.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { BadRequest } from "../../../platform/http/errors.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { normalizeEmail, normalizeEmailHash } from "../../../collect/visits/email-address.ts"

/** Maximum people per request. */ // spec 5.1
export const peopleMax = 1_000

/** *Units*: days. */ // spec 5.1
export const expiryMax = 365
export const expiryDefault = 90

const email = described(
  "Email address of the person.",
  Schema.String.check(
    Schema.makeFilter((text: string) => normalizeEmail(text) !== undefined, {
      expected: "an email address without invisible characters",
    }),
  ),
)
const emailHash = described(
  "SHA-256 of the lowercase email address, 64 hexadecimal digits.",
  Schema.String.check(
    Schema.makeFilter((text: string) => normalizeEmailHash(text) !== undefined, {
      expected: "a SHA-256 of 64 hexadecimal digits",
    }),
  ),
)

const LinkTokenRequest = Schema.Struct({
  people: described(
    `The people to create tokens for, 1 to ${peopleMax}.`,
    Schema.Array(
      Schema.Union([Schema.Struct({ email }), Schema.Struct({ emailHash })]).annotate({
        identifier: "LinkTokenPerson",
      }),
    ).check(Schema.isMinLength(1), Schema.isMaxLength(peopleMax)),
  ),
  expiresInDays: described(
    `Days until the tokens expire. Default ${expiryDefault}.`,
    Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: expiryMax }))),
  ),
}).annotate({ identifier: "LinkTokenRequest" })

const LinkTokenBatch = Schema.Struct({
  data: Schema.Struct({
    tokens: Schema.Array(
      Schema.Struct({ emailHash: Schema.String, token: Schema.String }).annotate({
        identifier: "LinkToken",
      }),
    ),
    expiresAt: Schema.String,
  }),
  meta: Meta,
}).annotate({ identifier: "LinkTokenBatch" })

export class LinkTokensApi extends HttpApiGroup.make("linkTokens")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OpenApi.Title, "Link tokens")
  .add(
    HttpApiEndpoint.post("create", "/v1/data/link-tokens", {
      query: noParameters,
      headers: idempotencyHeaders,
      payload: LinkTokenRequest,
      success: LinkTokenBatch.pipe(HttpApiSchema.status(201)),
      error: BadRequest,
    })
      .annotate(AnswersSecret, true)
      .middleware(Repeats),
  )
  .annotate(RateLimited, { name: "link-tokens", limit: 60 })
  .pipe(keyGroup) {}
