// Serves the collect route on node:http, before the router: each page view is a request, and the router with its
// fiber would double its cost. Everything except a POST to this route goes to the router.
import { Clock, DateTime, Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { errorBody } from "../../platform/http/answer.ts"
import { errorStatus } from "../../platform/http/errors.ts"
import { errorAnswer } from "../../platform/http/problem.ts"
import { makeRequestId } from "../../platform/http/request-context.ts"
import {
  batchBytesMax,
  type CollectAnswer,
  corsHeaders,
  makeCollectRequest,
  tooLarge,
} from "./collect-request.ts"

const route = /^\/p\/([^/?]{1,64})\/e(?:\?|$)/

/** Returns whether it handled the request; otherwise it has read and written nothing. */
export type CollectListener = (request: IncomingMessage, response: ServerResponse) => boolean

export const makeCollectListener: Effect.Effect<
  CollectListener,
  never,
  Effect.Services<typeof makeCollectRequest>
> = Effect.gen(function* () {
  const take = yield* makeCollectRequest
  const clock = yield* Clock.Clock

  const write = (response: ServerResponse, answer: CollectAnswer): void => {
    const id = makeRequestId()
    if ("status" in answer) {
      response.writeHead(204, { ...corsHeaders, "x-request-id": id }).end()
      return
    }
    const timestamp = DateTime.formatIso(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()))
    const meta = { timestamp, request_id: id }
    const status = errorStatus[answer.refusal.code]
    const envelope = errorBody({ ...answer.refusal, meta })
    const { body, contentType } = errorAnswer(status, envelope, response.req.headers.accept)
    response
      .writeHead(status, {
        ...corsHeaders,
        ...answer.headers,
        "content-type": contentType,
        "x-content-type-options": "nosniff",
        "x-request-id": id,
      })
      .end(body)
  }

  return (request, response) => {
    const pixelId = request.method === "POST" ? route.exec(request.url ?? "")?.[1] : undefined
    if (pixelId === undefined) return false
    readBody(request, (body) => {
      if (body === undefined) return write(response, tooLarge)
      const peer = request.socket.remoteAddress
      void take({ pixelId, peer, headers: request.headers, body }).then((answer) =>
        write(response, answer),
      )
    })
    return true
  }
})

/** Calls back once: with the body, or with undefined as soon as it exceeds the limit. */
const readBody = (request: IncomingMessage, done: (body: Uint8Array | undefined) => void): void => {
  if (Number(request.headers["content-length"]) > batchBytesMax) return done(undefined)
  const chunks: Array<Buffer> = []
  let length = 0
  request.on("data", (chunk: Buffer) => {
    length += chunk.length
    if (length <= batchBytesMax) return void chunks.push(chunk)
    request.removeAllListeners("data").removeAllListeners("end").resume()
    done(undefined)
  })
  request.on("end", () => done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  // After an aborted request there is no one to respond to.
  request.on("error", () => undefined)
}
