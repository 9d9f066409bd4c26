// The least speed of a stream that is read while others may wait for it to end. Each byte allows some time to wait for
// the next ones, so a stream that pauses for the silence that is allowed passes, and one that drips does not. Only
// the time counts in which there was nothing to read. Source: spec 5.14 (30 seconds of silence).
import { Clock, Effect, Schema, Stream } from "effect"

/** Of a body, over any time in which it comes more slowly than it is read. Our bound. */
export const bodyBytesPerSecondMin = 1_024

/** What a body may be behind that speed, and so also how long it may be silent. */
export const bodyBehindMaxMs = 30_000

export class BodySlow extends Schema.TaggedError<BodySlow>()("BodySlow", {}) {}

/** Fails with BodySlow when the stream is too slow. */
export const paced = <E>(
  input: Stream.Stream<Uint8Array, E>,
): Stream.Stream<Uint8Array, E | BodySlow> =>
  Stream.transformPull(input, (pull) =>
    Effect.sync(() => {
      let leftMs = bodyBehindMaxMs
      return Effect.gen(function* () {
        const askedAt = yield* Clock.currentTimeMillis
        const chunks = yield* Effect.timeoutOrElse(pull, {
          duration: leftMs,
          orElse: () => Effect.fail(new BodySlow()),
        })
        const waitedMs = (yield* Clock.currentTimeMillis) - askedAt
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
        leftMs = Math.min(
          bodyBehindMaxMs,
          leftMs - waitedMs + (bytes / bodyBytesPerSecondMin) * 1_000,
        )
        return chunks
      })
    }),
  )
