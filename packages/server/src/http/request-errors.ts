// What a schema refuses of a request becomes one 400 with its issue list (spec 9). An
// answer of ours that does not fit its own schema is a bug, stays a defect and becomes a 500.
import { Effect, Layer, type Schema, type Types } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { BadRequest, refuse } from "./errors.ts"
import { issuesOf, pointer, show, type Source } from "./issues.ts"
import { unstorablePath } from "./json-checks.ts"

// What no schema can refuse well of the parameters in an address, refused before one sees them (spec
// 1.4): text that Postgres cannot store, as in bodies (storable.ts), and numbers that are not
// written in plain digits. `1e3` and `0x10` are numbers to JavaScript, and 1000 and 16 to no one who reads them.

/** What is refused besides by the schema: it would take these for whole numbers. */
const isOddNumber = (text: string): boolean =>
  Number.isInteger(Number(text)) && !/^(?:\d+|-\d*[1-9]\d*)$/.test(text)

type Parameters = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Fails with BadRequest for the first parameter that is refused. */
const checkParameters = (endpoint: HttpApiEndpoint.Top) => {
  const numbers = { path: numbersIn(endpoint.params), query: numbersIn(endpoint.query) }
  return Effect.gen(function* () {
    yield* check("path", yield* HttpRouter.params, numbers.path)
    yield* check("query", yield* HttpServerRequest.ParsedSearchParams, numbers.query)
  })
}

const check = Effect.fnUntraced(function* (
  place: "path" | "query",
  parameters: Parameters,
  numbers: ReadonlySet<string>,
) {
  for (const [name, value] of Object.entries(parameters)) {
    if (unstorablePath({ [name]: value }) !== undefined) {
      return yield* refusal(
        [place, name],
        "format",
        "Expected text without NUL characters or lone surrogates.",
      )
    }
    if (numbers.has(name) && typeof value === "string" && isOddNumber(value)) {
      return yield* refusal(
        [place, name],
        "type",
        `Expected a number in plain digits, received ${show(value)}.`,
      )
    }
  }
})

const refusal = (path: ReadonlyArray<string>, code: string, message: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `Invalid request: ${pointer(path)} ${message}`,
    details: { issues: [{ path: pointer(path), code, message }] },
  })

interface Node {
  readonly _tag: string
  readonly propertySignatures?: ReadonlyArray<{ readonly name: PropertyKey; readonly type: Node }>
  readonly types?: ReadonlyArray<Node>
}

const numbersIn = (schema: Schema.Constraint | undefined): ReadonlySet<string> => {
  const node = schema?.ast as unknown as Node | undefined // looked at by shape
  return new Set(
    (node?.propertySignatures ?? [])
      .filter(({ type }) => isNumber(type))
      .map(({ name }) => String(name)),
  )
}

const isNumber = ({ _tag, types = [] }: Node): boolean => _tag === "Number" || types.some(isNumber)

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
    message: `Invalid request: ${issues[0]?.path ?? source} ${issues[0]?.message ?? ""}`,
    details: { issues: issues.map((issue) => ({ ...issue })) },
  })
}

const sources: Readonly<Record<string, Source>> = {
  Params: "path",
  Headers: "header",
  Query: "query",
  Payload: "body",
}
