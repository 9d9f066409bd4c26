// What a schema refuses of a request becomes one 400 with its issue list (decisions.md 9). An
// answer of ours that does not fit its own schema is a bug, stays a defect and becomes a 500.
import { Effect } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { BadRequest, refuse } from "./errors.ts"
import { issuesOf, type Source } from "./issues.ts"

export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()(
  "@footfall/server/http/RequestErrors",
  { error: BadRequest },
) {
  static readonly layer = HttpApiMiddleware.layerSchemaErrorTransform(RequestErrors, (error) => {
    const source = sources[error.kind]
    if (source === undefined) return Effect.die(error)
    const issues = issuesOf(source, error.cause)
    return refuse({
      code: "VALIDATION_ERROR",
      message: `The request is not valid: ${issues[0]?.path ?? source} ${issues[0]?.message ?? ""}`,
      details: { issues: issues.map((issue) => ({ ...issue })) },
    })
  })
}

const sources: Readonly<Record<string, Source>> = {
  Params: "path",
  Headers: "header",
  Query: "query",
  Payload: "body",
}
