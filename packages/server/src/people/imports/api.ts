// The wire contract of the admin import (spec 5.14). The body is a stream: only its media type is checked before it
// is read.
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  BearerAuthentication,
  OrganizationActive,
  RoleRequired,
} from "../../access/authentication.ts"
import { Meta } from "../../platform/http/envelope.ts"
import {
  BadRequest,
  Forbidden,
  NotFound,
  RequestTimeout,
  UnsupportedMediaType,
} from "../../platform/http/errors.ts"
import { RateLimit, RateLimited } from "../../platform/http/rate-limit.ts"
import { RequestErrors } from "../../platform/http/request-errors.ts"
import { lenient } from "../../platform/http/contract.ts"
import { importNames } from "./import-kind.ts"
import { rejectionReasons } from "./rejection.ts"

const ImportResultWire = Schema.Struct({
  kind: Schema.Literals(importNames),
  received: Schema.Int,
  inserted: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  rejectedCount: Schema.Int,
  rejected: Schema.Array(
    Schema.Struct({
      row: Schema.Int,
      field: Schema.NullOr(Schema.String),
      reason: Schema.Literals(rejectionReasons),
      /** Set if the reason alone is not enough: names the invisible character. */
      message: Schema.optionalKey(Schema.String),
    }),
  ),
}).annotate({ identifier: "ImportResult" })

export class ImportsApi extends HttpApiGroup.make("imports")
  .annotate(OpenApi.Title, "Imports")
  .add(
    HttpApiEndpoint.post("run", "/v1/admin/import/:kind", {
      params: { kind: Schema.Literals(importNames) },
      query: { shared: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      payload: [
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/x-ndjson" })),
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
      ],
      success: Schema.Struct({ data: ImportResultWire, meta: Meta }).annotate({
        identifier: "ImportAnswer",
      }),
      error: [BadRequest, Forbidden, NotFound, RequestTimeout, UnsupportedMediaType],
    }).annotate(RoleRequired, "owner"),
  )
  .annotate(RateLimited, { name: "import", limit: 30 })
  .annotate(HttpApi.QueryParseOptions, lenient)
  .middleware(RequestErrors)
  .middleware(OrganizationActive)
  .middleware(RateLimit)
  .middleware(BearerAuthentication) {}
