// Tracks requests in progress. When the scope closes, they finish before the services they use close: an application
// that embeds the server has no socket of ours to drain.
import { Duration, Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { errorBody } from "./answer.ts"
import { errorStatus, type Refusal } from "./errors.ts"
import { answerRefusal } from "./parser-errors.ts"
import { errorAnswer } from "./problem.ts"
import { makeRequestId } from "./request-context.ts"

/** The same as for a listening socket. */
const drainDuration = Duration.seconds(20)

export const makeTakenRequests = Effect.gen(function* () {
  let underWay = 0
  let whenNone: (() => void) | undefined
  const ended = (): void => {
    underWay -= 1
    if (underWay === 0) whenNone?.()
  }
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      whenNone = () => resume(Effect.void)
      if (underWay === 0) whenNone()
    }).pipe(Effect.timeoutOption(drainDuration)),
  )
  return {
    until: async <A>(answer: Promise<A>): Promise<A> => {
      underWay += 1
      try {
        return await answer
      } finally {
        ended()
      }
    },
    untilClosed: (response: ServerResponse): void => {
      underWay += 1
      response.once("close", ended)
    },
  }
})

// The host application has already read this request's body, usually because a body parser was mounted before Footfall.
// Waiting for the body would hang, so the response says at once, in the envelope, what the developer has to change.
const refusal: Refusal = {
  code: "INTERNAL_ERROR",
  message:
    "The body of this request was read before it reached Footfall. " +
    "Mount Footfall before your application's body parser.",
}

/** Returns whether the body was read, in which case the request has been answered. `now`: response time in ISO 8601. */
export const refuseTakenBody = (
  request: IncomingMessage,
  response: ServerResponse,
  now: () => string,
): boolean => {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers
  const hasBody = encoding !== undefined || length !== "0"
  if (!hasBody || !request.readableDidRead) return false
  answerRefusal(response, refusal, now())
  return true
}

/** Like `refuseTakenBody`, for a standard Request; undefined if its body is intact. */
export const takenBodyResponse = (request: Request, now: () => string): Response | undefined => {
  if (!request.bodyUsed) return undefined
  const id = makeRequestId()
  const meta = { timestamp: now(), request_id: id }
  const status = errorStatus[refusal.code]
  const envelope = errorBody({ ...refusal, meta })
  const { body, contentType } = errorAnswer(
    status,
    envelope,
    request.headers.get("accept") ?? undefined,
  )
  return new Response(body, {
    status,
    headers: {
      "content-type": contentType,
      "x-request-id": id,
      "x-content-type-options": "nosniff",
    },
  })
}
