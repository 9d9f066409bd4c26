// The body of an import: a stream that must keep a minimum speed, and the responses that end it early.
import { Clock, Effect, Schema, Stream } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { refuse } from "../../platform/http/errors.ts"
import type { ImportsBusy } from "./import-places.ts"

// The minimum speed of a stream while other imports may be waiting. Each byte received extends the time allowed for
// the next ones, so a stream that pauses briefly passes and one that drips does not. Only time spent waiting for
// data counts (30 seconds of silence, spec 5.14).

/** The minimum speed over any period in which the body arrives more slowly than it is read. */
export const bodyBytesPerSecondMin = 1_024

/** How far a body may fall behind that speed, which is also how long it may be silent. */
const bodyBehindMaxMs = 30_000

export class BodySlow extends Schema.TaggedError<BodySlow>()("BodySlow", {}) {}

/** Fails with BodySlow if the stream is too slow. */
export const paced = <E>(
  input: Stream.Stream<Uint8Array, E>,
): Stream.Stream<Uint8Array, E | BodySlow> =>
  Stream.transformPull(input, (pull) =>
    Effect.sync(() => {
      let leftMs = bodyBehindMaxMs
      return Effect.gen(function* () {
        const startedAt = yield* Clock.currentTimeMillis
        const chunks = yield* Effect.timeoutOrElse(pull, {
          duration: leftMs,
          orElse: () => Effect.fail(new BodySlow()),
        })
        const waitedMs = (yield* Clock.currentTimeMillis) - startedAt
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
        leftMs = Math.min(
          bodyBehindMaxMs,
          leftMs - waitedMs + (bytes / bodyBytesPerSecondMin) * 1_000,
        )
        return chunks
      })
    }),
  )

export const busy = ({ reason }: ImportsBusy) =>
  Effect.andThen(
    Effect.andThen(closeConnection, retryAfter(busyRetrySeconds)),
    refuse({
      code: "SERVICE_UNAVAILABLE",
      message:
        reason === "organization"
          ? "Another import for this organization is in progress. Try again when it ends."
          : "Too many imports are in progress. Try again in a moment.",
    }),
  )

const busyRetrySeconds = 10

/** Otherwise the unread rest of the body would be parsed as the next request. */
export const closeConnection = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close")),
)

const retryAfter = (seconds: number) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds))),
  )
