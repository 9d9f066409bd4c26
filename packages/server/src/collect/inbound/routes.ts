// `/in/{token}`, which vendors call: outside the typed API, because they send forms and JSON alike (spec 15.3.2).
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { notFound, refused } from "../../platform/http/answer.ts"
import { success } from "../../platform/http/envelope.ts"
import { Door } from "./door.ts"
import { bodyBytesMax } from "./inbound-source.ts"

const path = "/in/:token"

export const inboundRoutes = [
  { method: "POST", path },
  { method: "GET", path },
  { method: "HEAD", path },
]

const headers = { "cache-control": "no-store" } as const

export const InboundRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const door = yield* Door
    yield* router.add(
      "POST",
      path,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { token = "" } = yield* HttpRouter.params
        const admitted = yield* door.admit(token)
        const answer =
          "source" in admitted
            ? yield* door.receive(admitted, {
                headers: request.headers,
                body: yield* readBytes(request),
              })
            : admitted
        if ("refusal" in answer) {
          const { refusal, retryAfter } = answer
          return yield* refused(refusal, {
            ...headers,
            ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
          })
        }
        return HttpServerResponse.jsonUnsafe(yield* success(answer), { headers })
      }),
    )
    yield* router.add(
      "GET",
      path,
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params
        if (!(yield* door.isKnown(token))) return yield* notFound
        return HttpServerResponse.jsonUnsafe(yield* success({ accepted: 0 }), { headers })
      }),
    )
  }),
)

/** Undefined above the limit. */
const readBytes = (request: HttpServerRequest.HttpServerRequest) =>
  Number(request.headers["content-length"]) > bodyBytesMax
    ? Effect.succeed(undefined)
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(bodyBytesMax)),
        Effect.map((buffer) =>
          buffer.byteLength > bodyBytesMax ? undefined : new Uint8Array(buffer),
        ),
        Effect.catchReason("HttpServerError", "RequestParseError", (reason) =>
          Effect.succeed(reason.reason === "BodyTooLarge" ? undefined : new Uint8Array()),
        ),
      )
