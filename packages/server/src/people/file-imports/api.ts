// The wire contract of imports of suppression rules and lists from files (spec 5.16).
import { ruleRejections } from "@footfall/normal-form"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type Scope, ScopeBeside, ScopesRequired } from "../../access/key-rights.ts"
import { keyGroup } from "../../access/groups.ts"
import { Meta } from "../../platform/http/envelope.ts"
import {
  BadRequest,
  Conflict,
  NotFound,
  PayloadTooLarge,
  RequestTimeout,
  ServiceUnavailable,
  UnsupportedMediaType,
} from "../../platform/http/errors.ts"
import { described, noParameters, requestText } from "../../platform/http/fields.ts"
import { listMeta, listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { BodyStreamed } from "../../platform/http/json-body.ts"
import { AddressRateLimited } from "../../platform/http/rate-limit.ts"
import { AffectedSample } from "../suppression/api.ts"
import { noteLengthMax, RuleCounts, RuleTypeSchema } from "../suppression/rule.ts"
import { guardReasons, type ImportKindName, importKinds, importModes } from "./plan.ts"

const RuleOfPlan = Schema.Struct({ type: RuleTypeSchema, value: Schema.String })

export const ImportPlan = Schema.Struct({
  importId: Schema.String,
  kind: Schema.Literals(importKinds),
  listId: Schema.NullOr(Schema.String),
  mode: Schema.Literals(importModes),
  note: Schema.NullOr(Schema.String),
  types: Schema.NullOr(Schema.Array(RuleTypeSchema)),
  expiresAt: Schema.String,
  rows: Schema.Int,
  rules: Schema.Int,
  new: Schema.Int,
  present: Schema.Int,
  removed: Schema.Int,
  rejected: Schema.Int,
  repeated: Schema.Int,
  guard: Schema.NullOr(
    Schema.Struct({
      reason: Schema.Literals(guardReasons),
      removals: Schema.Int,
      present: Schema.Int,
    }),
  ),
  byType: Schema.Struct({
    rules: RuleCounts,
    new: RuleCounts,
    removed: RuleCounts,
    rejected: RuleCounts,
    stored: RuleCounts,
  }),
  files: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      reading: Schema.String,
      rows: Schema.Int,
      rejected: Schema.Int,
    }),
  ),
  sample: Schema.Struct({ new: Schema.Array(RuleOfPlan), removed: Schema.Array(RuleOfPlan) }),
  rejectedByReason: Schema.Array(Schema.Struct({ reason: Schema.String, rows: Schema.Int })),
  rejectedRows: Schema.Array(
    Schema.Struct({
      file: Schema.Int,
      line: Schema.Int,
      type: Schema.String,
      value: Schema.String,
      reason: Schema.Literals([...ruleRejections, "unreadable_text", "value_cut", "erased"]),
      message: Schema.optionalKey(Schema.String),
    }),
  ),
  freeMailDomains: Schema.Array(Schema.String),
  affected: Schema.NullOr(
    Schema.Struct({ visitors: Schema.Int, byType: RuleCounts, sample: AffectedSample }),
  ),
  layout: Schema.NullOr(
    Schema.Struct({
      firstRows: Schema.Array(Schema.Array(Schema.String)),
      column: Schema.Int,
      type: Schema.NullOr(RuleTypeSchema),
      header: Schema.Boolean,
    }),
  ),
  listVersion: Schema.String,
}).annotate({ identifier: "FileImportPlan" })

export const AppliedImport = Schema.Struct({
  added: Schema.Int,
  removed: Schema.Int,
  total: Schema.Int,
}).annotate({ identifier: "AppliedFileImport" })

export const DroppedImport = Schema.Struct({ dropped: Schema.Literal(true) }).annotate({
  identifier: "DroppedFileImport",
})

export const FileImport = Schema.Struct({
  importId: Schema.String,
  kind: Schema.Literals(importKinds),
  listId: Schema.NullOr(Schema.String),
  name: Schema.String,
  note: Schema.NullOr(Schema.String),
  mode: Schema.Literals(importModes),
  added: Schema.Int,
  removed: Schema.Int,
  member: Schema.NullOr(Schema.String),
  appliedAt: Schema.String,
  undoableUntil: Schema.NullOr(Schema.String),
  undoneAt: Schema.NullOr(Schema.String),
}).annotate({ identifier: "FileImport" })

const path = "/v1/data/import/:kind"
const kind = Schema.Literals(importKinds)
const importId = Schema.String.check(Schema.isUUID())
const flag = Schema.Literals(["true", "false"])

/** Text as it is in the file: only the response of the request reads it. */
const csv = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
const ndjson = Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/x-ndjson" }))

/** Everything after the file, whose request counts for the whole import. */ // spec 10.2
const afterFile = { name: "file_imports", limit: 120, countsUnauthorized: false }

/** What a file is written into. */
const scopesOfKinds = new Map([
  ["suppression-rules", "suppression:write"],
  ["lists", "visitors:write"],
] as const satisfies ReadonlyArray<readonly [ImportKindName, Scope]>)

export class FileImportsApi extends HttpApiGroup.make("fileImports")
  .annotate(ScopesRequired, { read: "imports:write", write: "imports:write" })
  .annotate(ScopeBeside, { parameter: "kind", scopes: scopesOfKinds })
  .annotate(OpenApi.Title, "File imports")
  .add(
    HttpApiEndpoint.get("list", path, {
      params: { kind },
      query: listParameters(pageSizeMax),
      success: Schema.Struct({ data: Schema.Array(FileImport), meta: listMeta }).annotate({
        identifier: "FileImportList",
      }),
      error: BadRequest,
    }).annotate(AddressRateLimited, afterFile),
    HttpApiEndpoint.post("plan", `${path}/plan`, {
      params: { kind },
      query: {
        mode: Schema.optionalKey(Schema.Literals(importModes)),
        type: Schema.optionalKey(RuleTypeSchema).annotateKey({
          description: "Type of the values, if the file does not say.",
        }),
        column: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 255 })),
        header: Schema.optionalKey(flag),
        types: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 100 })),
        list: Schema.optionalKey(Schema.String.check(Schema.isUUID())).annotateKey({
          description:
            "The list that the file is for. Needed for `lists`, unless `importId` names a plan.",
        }),
        name: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 255 })),
        note: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: noteLengthMax })),
        importId: Schema.optionalKey(importId),
      },
      payload: [csv, ndjson],
      success: Schema.Struct({ data: ImportPlan, meta: Meta }).annotate({
        identifier: "FileImportPlanAnswer",
      }),
      error: [
        BadRequest,
        NotFound,
        Conflict,
        PayloadTooLarge,
        RequestTimeout,
        ServiceUnavailable,
        UnsupportedMediaType,
      ],
    }).annotate(BodyStreamed, true),
    HttpApiEndpoint.post("apply", `${path}/apply`, {
      params: { kind },
      query: noParameters,
      payload: Schema.Struct({
        importId: described("The import of a plan.", importId),
        allowRemovals: described(
          "The most values that may be removed. Needed when `guard` is `most` or `other_types`.",
          Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })),
          ),
        ),
        allowEmpty: described(
          "Whether a file without rows is meant. Needed when `guard` is `empty`. Default: false.",
          Schema.optionalKey(Schema.Boolean),
        ),
      }),
      success: Schema.Struct({ data: AppliedImport, meta: Meta }).annotate({
        identifier: "AppliedFileImportAnswer",
      }),
      error: [BadRequest, NotFound, Conflict],
    }).annotate(AddressRateLimited, afterFile),
    HttpApiEndpoint.post("undo", `${path}/:importId/undo`, {
      params: { kind, importId },
      query: noParameters,
      success: Schema.Struct({ data: AppliedImport, meta: Meta }).annotate({
        identifier: "UndoneFileImportAnswer",
      }),
      error: [BadRequest, NotFound, Conflict],
    }).annotate(AddressRateLimited, afterFile),
    HttpApiEndpoint.get("rejected", `${path}/:importId/rejected`, {
      params: { kind, importId },
      query: {
        file: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 }))),
      },
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
      error: [BadRequest, NotFound],
    }).annotate(AddressRateLimited, afterFile),
    HttpApiEndpoint.delete("drop", `${path}/:importId`, {
      params: { kind, importId },
      query: noParameters,
      success: Schema.Struct({ data: DroppedImport, meta: Meta }).annotate({
        identifier: "DroppedFileImportAnswer",
      }),
      error: [BadRequest, NotFound],
    }).annotate(AddressRateLimited, afterFile),
  )
  .annotate(AddressRateLimited, { name: "suppression", limit: 30, countsUnauthorized: false })
  .pipe(keyGroup) {}
