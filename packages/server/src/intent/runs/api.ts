// The wire contract of runs, their results and statistics (spec 5.9).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../access/key-rights.ts"
import { idempotencyHeaders } from "../../access/repeats/repeats.ts"
import { eitherGroup } from "../../access/groups.ts"
import { IntentRequired, RoleRequired } from "../../access/authentication.ts"
import { audiencesLimit } from "../audiences/lifecycle/api.ts"
import { described } from "../../platform/http/fields.ts"
import { Meta, metaFields } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts"
import { BodyOptional } from "../../platform/http/json-body.ts"
import { listMeta, listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { stalenessHeaders } from "../../platform/http/max-staleness.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { lenient } from "../../platform/http/contract.ts"
import { ResultRow } from "./results/result-row.ts"
import { Run, RunStatus } from "./run.ts"
import { RunStatistics } from "./statistics/statistics.ts"

const path = "/v1/intent/audiences/:id/runs"
const id = Schema.String.check(Schema.isUUID())
const params = { id }
const runParams = { id, runId: id }

/** No body, `{}`, and naming the only run type all mean the same. spec 13. */
const StartRun = Schema.Struct({
  runType: described(
    "The kind of run. Only `manual`.",
    Schema.optionalKey(Schema.Literals(["manual"])),
  ),
}).annotate({ identifier: "StartRun" })

const RunAnswer = Schema.Struct({ data: Run, meta: Meta }).annotate({ identifier: "RunAnswer" })
const AcceptedRun = RunAnswer.pipe(HttpApiSchema.status(202))

export const RunPage = Schema.Struct({ data: Schema.Array(Run), meta: listMeta }).annotate({
  identifier: "RunPage",
})

const pageMeta = Schema.Struct({
  hasMore: Schema.Boolean,
  nextCursor: Schema.NullOr(Schema.String),
  ...metaFields,
})

const resultsFields = { total: Schema.Int, limit: Schema.Int, offset: Schema.Int }

export const RunResults = Schema.Struct({
  data: Schema.Struct({ run: Run, results: Schema.Array(ResultRow), ...resultsFields }),
  meta: pageMeta,
}).annotate({ identifier: "RunResults" })

/** Returned until the run has completed. */
export const PendingRunResults = Schema.Struct({
  data: Schema.Struct({
    run: Run,
    state: RunStatus,
    results: Schema.Array(ResultRow).check(Schema.isMaxLength(0)),
    ...resultsFields,
  }),
  meta: pageMeta,
})
  .annotate({ identifier: "PendingRunResults" })
  .pipe(HttpApiSchema.status(202))

const RunStatisticsAnswer = Schema.Struct({
  data: Schema.Struct({ run: Run, stats: RunStatistics }),
  meta: Meta,
}).annotate({ identifier: "RunStatisticsAnswer" })

export class RunsApi extends HttpApiGroup.make("runs")
  .annotate(ScopesRequired, { read: "intent:read", write: "intent:write" })
  .annotate(OpenApi.Title, "Runs")
  .add(
    HttpApiEndpoint.post("start", path, {
      params,
      headers: idempotencyHeaders,
      payload: StartRun,
      success: [AcceptedRun, RunAnswer],
      error: [BadRequest, NotFound, Conflict],
    })
      .annotate(BodyOptional, true)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("list", path, {
      params,
      query: { ...listParameters(pageSizeMax), status: Schema.optionalKey(RunStatus) },
      success: RunPage,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.get("get", `${path}/:runId`, {
      params: runParams,
      success: RunAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.delete("cancel", `${path}/:runId`, {
      params: runParams,
      success: RunAnswer,
      error: [NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("results", `${path}/:runId/results`, {
      params: runParams,
      query: listParameters(pageSizeMax),
      headers: stalenessHeaders,
      // Only pending results have a `state`.
      success: [PendingRunResults, RunResults],
      error: [BadRequest, NotFound, Conflict],
    }),
    HttpApiEndpoint.get("stats", `${path}/:runId/stats`, {
      params: runParams,
      success: RunStatisticsAnswer,
      error: [NotFound, Conflict],
    }),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(IntentRequired, true)
  // Shared with audiences and exports. spec 10.2.
  .annotate(RateLimited, audiencesLimit)
  .pipe(eitherGroup) {}
