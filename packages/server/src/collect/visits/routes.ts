// The collect route on the router, for embedding applications and preflight requests. On the server's own socket,
// `listener.ts` takes the POST first.
import { ByteSize, Effect, Layer, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refused } from "../../platform/http/answer.ts"
import { PeerAddress } from "../../platform/http/request-context.ts"
import { batchBytesMax, corsHeaders, makeCollectRequest, tooLarge } from "./collect-request.ts"

const path = "/p/:pixelId/e"

export const collectRoutes = [
  { method: "POST", path },
  { method: "OPTIONS", path },
] as const

const Preflight = HttpRouter.add(
  "OPTIONS",
  path,
  HttpServerResponse.empty({
    status: 204,
    headers: {
      ...corsHeaders,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "86400",
    },
  }),
)

const Post = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const take = yield* makeCollectRequest
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { pixelId = "" } = yield* HttpRouter.params
      const body = yield* readBody(request)
      const peer = (yield* PeerAddress) ?? Option.getOrUndefined(request.remoteAddress)
      const answer =
        body === undefined
          ? tooLarge
          : yield* Effect.promise(() => take({ pixelId, peer, headers: request.headers, body }))
      return "status" in answer
        ? HttpServerResponse.empty({ status: 204, headers: corsHeaders })
        : yield* refused(answer.refusal, { ...corsHeaders, ...answer.headers })
    })
    yield* router.add("POST", path, answer)
  }),
)

/** Undefined for a body above the limit. An unreadable body counts as empty and is dropped like any other. */
const readBody = (request: HttpServerRequest.HttpServerRequest) =>
  Number(request.headers["content-length"]) > batchBytesMax
    ? Effect.succeed(undefined)
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(batchBytesMax)),
        Effect.map((buffer) => new Uint8Array(buffer)),
        Effect.map((body) => (body.length > batchBytesMax ? undefined : body)),
        Effect.catchReason("HttpServerError", "RequestParseError", (reason) =>
          Effect.succeed(reason.reason === "BodyTooLarge" ? undefined : new Uint8Array()),
        ),
      )

export const CollectRoutes = Layer.mergeAll(Preflight, Post)
