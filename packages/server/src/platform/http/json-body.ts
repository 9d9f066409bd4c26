// Reads a request body before the schema does and rejects what no schema can reject well: media type, encoding, size,
// UTF-8, depth, and characters Postgres can't store (spec 1.4). Runs after authentication, so 401 and 403 come before
// 415, 413 and 400.
import { ByteSize, Context, Effect, Layer, Record } from "effect"
import { Headers, HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, type OpenApi } from "effect/http-api"
import { BadRequest, PayloadTooLarge, refuse, UnsupportedMediaType } from "./errors.ts"
import { pointer } from "./issues.ts"
import { infinitePath, isTooDeep, jsonDepthMax, unstorablePath } from "./json-checks.ts"

/** Maximum size of a JSON body unless the endpoint sets another. */ // spec 1.4
export const bodyBytesMax = 1_048_576

/** Annotation for an endpoint that accepts larger bodies. Units: bytes. */
export class BodyBytesMax extends Context.Service<BodyBytesMax, number>()(
  "@footfall/server/http/BodyBytesMax",
) {}

/** Marks an endpoint that treats a missing body as `{}`. */ // spec 1.4.12, 5.6, 5.10 and 5.11
export class BodyOptional extends Context.Service<BodyOptional, true>()(
  "@footfall/server/http/BodyOptional",
) {}

/** Marks an endpoint that reads its body as a stream. */
export class BodyStreamed extends Context.Service<BodyStreamed, true>()(
  "@footfall/server/http/BodyStreamed",
) {}

export class JsonBody extends HttpApiMiddleware.Service<JsonBody>()(
  "@footfall/server/http/JsonBody",
  { error: [BadRequest, PayloadTooLarge, UnsupportedMediaType] },
) {
  static readonly layer = Layer.succeed(
    JsonBody,
    JsonBody.of((app, { endpoint }) => {
      const isStreamed = Context.getOrUndefined(endpoint.annotations, BodyStreamed) === true
      if (endpoint.payload.size === 0 || isStreamed) return app
      const limitBytes = Context.getOrUndefined(endpoint.annotations, BodyBytesMax) ?? bodyBytesMax
      const isOptional = Context.getOrUndefined(endpoint.annotations, BodyOptional) === true
      return Effect.flatMap(checkedRequest(limitBytes, isOptional), (request) =>
        Effect.provideService(app, HttpServerRequest.HttpServerRequest, request),
      )
    }),
  )
}

const checkedRequest = Effect.fnUntraced(function* (limitBytes: number, isOptional: boolean) {
  const request = yield* HttpServerRequest.HttpServerRequest
  // A missing body may have neither type nor length, so an optional body is read first.
  if (!isOptional) yield* checkMediaType(request)
  const bytes = yield* readBytes(request, limitBytes)
  const isAbsent = isOptional && bytes.length === 0
  if (isOptional && !isAbsent) yield* checkMediaType(request)
  const text = isAbsent ? "{}" : yield* decodeUtf8(bytes)
  if (text === "") return yield* unreadable("A JSON body is required.", "required")
  if (!isAbsent) yield* checkJson(bytes, text)
  // The decoder that follows reads `text`; it gets the checked one.
  return Object.create(request, {
    text: { value: Effect.succeed(text) },
    ...(isAbsent ? { headers: { value: jsonHeaders(request) } } : {}),
  }) as HttpServerRequest.HttpServerRequest
})

/** The content type does not matter when there is no body. */
const jsonHeaders = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  Headers.set(headers, "content-type", "application/json")

const checkMediaType = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const type = request.headers["content-type"]
  const encoding = request.headers["content-encoding"]
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return yield* refuse({
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: `Compressed request bodies are not supported. Received Content-Encoding "${encoding.slice(0, 40)}".`,
      details: { allowed: ["application/json"] },
    })
  }
  const isEmpty = type === undefined && request.headers["content-length"] === "0"
  if (!isEmpty && !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type ?? "")) {
    return yield* refuse({
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: `Expected application/json, received ${type === undefined ? "no Content-Type" : `"${type.slice(0, 80)}"`}.`,
      details: { allowed: ["application/json"] },
    })
  }
})

const readBytes = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  limitBytes: number,
) {
  const tooLarge = refuse({
    code: "PAYLOAD_TOO_LARGE",
    message: `The body is larger than ${limitBytes} bytes.`,
    details: { limitBytes },
  })
  if (Number(request.headers["content-length"]) > limitBytes) return yield* tooLarge
  const buffer = yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limitBytes)),
    Effect.catchReason("HttpServerError", "RequestParseError", (reason) =>
      reason.reason === "BodyTooLarge" ? tooLarge : unreadable("The request body ended early."),
    ),
    Effect.catchTag("HttpServerError", Effect.die),
  )
  const bytes = new Uint8Array(buffer)
  return bytes.length > limitBytes ? yield* tooLarge : bytes
})

const unreadable = (message: string, code = "invalid_json") =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "The request body could not be read.",
    details: { issues: [{ path: "/body", code, message }] },
  })

const decodeUtf8 = (bytes: Uint8Array) =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => undefined,
  }).pipe(Effect.catch(() => unreadable("Expected UTF-8, received invalid bytes.")))

const checkJson = Effect.fnUntraced(function* (bytes: Uint8Array, text: string) {
  if (isTooDeep(bytes)) {
    return yield* unreadable(
      `Expected at most ${jsonDepthMax} levels of nesting, received more.`,
      "too_deep",
    )
  }
  const value = yield* Effect.try({ try: () => JSON.parse(text) as unknown, catch: String }).pipe(
    Effect.catch((message) => unreadable(message.slice(0, 200))),
  )
  // Only an escape can produce such a character, because `text` is valid UTF-8 and JSON allows no raw NUL.
  const path = text.includes(String.raw`\u`) ? unstorablePath(value) : undefined
  if (path !== undefined) {
    return yield* refuse({
      code: "VALIDATION_ERROR",
      message: "The body contains a character that cannot be stored.",
      details: {
        issues: [
          {
            path: pointer(["body", ...path]),
            code: "format",
            message: "Expected text without NUL characters or lone surrogates.",
          },
        ],
      },
    })
  }
  // The JSON schema would reject it too, but as a field; inside a rule the error belongs to the rule.
  const [field, ...inRule] = infinitePath(value) ?? []
  if (field === "ruleAst") {
    return yield* refuse({
      code: "INVALID_RULE",
      message: `Expected a finite number at ${pointer(inRule)}, received a larger one.`,
      details: { path: pointer(inRule), reason: "wrong_value_type" },
    })
  }
})

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
type Operation = OpenApi.OpenAPISpecOperation

/** For `OpenApi.Transform`: removes 413 and 415 from operations without a body, which never return them. */
export const bodyErrorsWithBodies = (
  document: Record<string, unknown>,
): Record<string, unknown> => {
  const { paths } = document as unknown as Document // the library passes it untyped
  const answered = (operation: Operation): Operation => {
    if (operation.requestBody !== undefined) return operation
    const { 413: _tooLarge, 415: _unsupported, ...responses } = operation.responses
    return { ...operation, responses }
  }
  return { ...document, paths: Record.map(paths, Record.map(answered)) }
}
