// Turns schema errors in a request into one 400 with its issue list (spec 9). A response that does not match its own
// schema is our bug: it stays a defect and becomes a 500.
import { Effect, Layer, type Schema, type Types } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { BadRequest, refuse } from "./errors.ts"
import { issuesOf, pointer, show, type Source } from "./issues.ts"
import { unstorablePath } from "./json-checks.ts"
import { withinStaleness } from "./max-staleness.ts"

// Rejects parameters that no schema can reject well, before the schemas run (spec 1.4): text that Postgres can't store,
// and numbers not written in plain digits. JavaScript reads `1e3` and `0x10` as numbers; people don't expect 1000 and
// 16.

/** The schema would accept these as whole numbers. */
const isOddNumber = (text: string): boolean =>
  Number.isInteger(Number(text)) && !/^(?:\d+|-0*[1-9]\d*)$/.test(text)

type Parameters = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Fails with BadRequest for the first invalid parameter. */
const checkParameters = (endpoint: HttpApiEndpoint.Top) => {
  const numbers = { path: numbersIn(endpoint.params), query: numbersIn(endpoint.query) }
  return Effect.gen(function* () {
    yield* check("path", yield* HttpRouter.params, numbers.path)
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const undecodable = undecodableName(url)
    if (undecodable !== undefined) {
      return yield* refusal(["query", undecodable], "format", "Expected UTF-8 in percent-encoding.")
    }
    yield* check("query", yield* HttpServerRequest.ParsedSearchParams, numbers.query)
  })
}

/** The first parameter of the query that is not UTF-8. A lenient parser replaces what it can't decode. */
const undecodableName = (url: string): string | undefined => {
  const query = url.slice(url.indexOf("?") + 1)
  if (query === url || decoded(query) !== undefined) return undefined
  const pair = query.split("&").find((one) => decoded(one) === undefined) ?? ""
  return decoded(pair.split("=", 1)[0]!) ?? ""
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
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
  const node = schema?.ast as unknown as Node | undefined // inspected by shape
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
        Effect.catch(
          withinStaleness(app),
          (error): Effect.Effect<never, BadRequest | Types.unhandled> =>
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
