// The wire contract of exports (spec 5.9).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../../access/key-rights.ts"
import { idempotencyHeaders, Repeats } from "../../../access/repeats/repeats.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { IntentRequired, RoleRequired } from "../../../access/authentication.ts"
import { stalenessHeaders } from "../../../platform/http/max-staleness.ts"
import {
  AddressRateLimit,
  AddressRateLimited,
  RateLimited,
} from "../../../platform/http/rate-limit.ts"
import { audiencesLimit } from "../../audiences/lifecycle/api.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  Conflict,
  Forbidden,
  NotFound,
  ServiceUnavailable,
} from "../../../platform/http/errors.ts"
import { BodyOptional } from "../../../platform/http/json-body.ts"
import { listMeta, listParameters, pageSizeMax } from "../../../platform/http/lists.ts"
import { described } from "../../../platform/http/fields.ts"
import { RequestErrors } from "../../../platform/http/request-errors.ts"
import { lenient } from "../../../platform/http/contract.ts"
import { AdFormat } from "./ads/ad-columns.ts"
import { contentTypes, Export, ExportType } from "./export.ts"

const path = "/v1/intent/audiences/:id/runs/:runId"
const id = Schema.String.check(Schema.isUUID())
const params = { id, runId: id }

/** Links are null until the export is completed. */
export const ExportWithLink = Schema.Struct({
  export: Export,
  downloadUrl: Schema.NullOr(Schema.String),
  downloadUrlExpiresAt: Schema.NullOr(Schema.String),
  downloadUrlTtlSeconds: Schema.NullOr(Schema.Int),
}).annotate({ identifier: "ExportWithLink" })

const ExportAnswer = Schema.Struct({ data: ExportWithLink, meta: Meta }).annotate({
  identifier: "ExportAnswer",
})

export const ExportPage = Schema.Struct({ data: Schema.Array(Export), meta: listMeta }).annotate({
  identifier: "ExportPage",
})

const CreateExport = Schema.Struct({
  exportType: described("The format of the file. Default: `csv`.", Schema.optionalKey(ExportType)),
}).annotate({ identifier: "CreateExport" })

const csv = HttpApiSchema.StreamUint8Array({ contentType: contentTypes.csv })
/** The media type is that of the export. */
const file = HttpApiSchema.StreamUint8Array({ contentType: "*/*" })
const parquet = HttpApiSchema.StreamUint8Array({ contentType: contentTypes.parquet })

export class ExportsApi extends HttpApiGroup.make("exports")
  .annotate(ScopesRequired, { read: "intent:read", write: "intent:write" })
  .annotate(OpenApi.Title, "Exports")
  .add(
    HttpApiEndpoint.get("csv", `${path}/export.csv`, {
      params,
      query: { raw: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      headers: stalenessHeaders,
      success: csv,
      error: [NotFound, Conflict, ServiceUnavailable],
    }),
    HttpApiEndpoint.get("parquet", `${path}/export.parquet`, {
      params,
      headers: stalenessHeaders,
      success: parquet,
      error: [NotFound, Conflict, ServiceUnavailable],
    }),
    HttpApiEndpoint.get("ads", `${path}/export`, {
      params,
      query: { format: described("The ad platform that the file is for.", AdFormat) },
      headers: stalenessHeaders,
      success: csv,
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable],
    }),
    HttpApiEndpoint.post("create", `${path}/exports`, {
      params,
      headers: idempotencyHeaders,
      payload: CreateExport,
      success: [
        ExportAnswer,
        ExportAnswer.pipe(HttpApiSchema.status(201)),
        ExportAnswer.pipe(HttpApiSchema.status(202)),
      ],
      error: [BadRequest, NotFound, Conflict],
    })
      .middleware(Repeats)
      .annotate(BodyOptional, true)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("list", `${path}/exports`, {
      params,
      query: listParameters(pageSizeMax),
      success: ExportPage,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.get("get", `${path}/exports/:exportId`, {
      params: { ...params, exportId: id },
      success: ExportAnswer,
      error: NotFound,
    }),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(IntentRequired, true)
  // Shared with audiences and runs. spec 10.2.
  .annotate(RateLimited, audiencesLimit)
  .pipe(eitherGroup) {}

export class ExportDownloadsApi extends HttpApiGroup.make("exportDownloads")
  .annotate(OpenApi.Title, "Exports")
  .add(
    HttpApiEndpoint.get("download", "/v1/intent/exports/:exportId/download", {
      params: { exportId: id },
      // Missing parts are rejected like an invalid signature. spec 13.
      query: {
        expires: Schema.optionalKey(Schema.String),
        signature: Schema.optionalKey(Schema.String),
      },
      success: file,
      error: [BadRequest, Forbidden, NotFound, ServiceUnavailable],
    }),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  // spec 10.2. The signed link replaces credentials, so a rejected link counts as a failure.
  .annotate(AddressRateLimited, { name: "export-download", limit: 60, countsUnauthorized: true })
  .middleware(RequestErrors)
  .middleware(AddressRateLimit) {}
