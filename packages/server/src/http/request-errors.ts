// What a schema refuses of a request becomes one 400 with its issue list (spec 9). An
// answer of ours that does not fit its own schema is a bug, stays a defect and becomes a 500.
import { Effect, Layer, type Types } from "effect"
import { HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { BadRequest, refuse } from "./errors.ts"
import { issuesOf, type Source } from "./issues.ts"
import { checkParameters } from "./request-parameters.ts"

export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()(
  "@footfall/server/http/RequestErrors",
  { error: BadRequest },
) {
  static readonly layer = Layer.succeed(
    RequestErrors,
    RequestErrors.of((app, { endpoint }) =>
      Effect.andThen(
        checkParameters(endpoint),
        Effect.catch(app, (error): Effect.Effect<never, BadRequest | Types.unhandled> =>
          HttpApiError.HttpApiSchemaError.is(error) ? refusedBySchema(error) : Effect.fail(error),
        ),
      ),
    ),
  )
}

const refusedBySchema = (error: HttpApiError.HttpApiSchemaError) => {
  const source = sources[error.kind]
  if (source === undefined) return Effect.die(error)
  const issues = issuesOf(source, error.cause)
  return refuse({
    code: "VALIDATION_ERROR",
    message: `The request is not valid: ${issues[0]?.path ?? source} ${issues[0]?.message ?? ""}`,
    details: { issues: issues.map((issue) => ({ ...issue })) },
  })
}

const sources: Readonly<Record<string, Source>> = {
  Params: "path",
  Headers: "header",
  Query: "query",
  Payload: "body",
}
