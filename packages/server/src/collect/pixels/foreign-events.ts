// Records that pages on a foreign host report to a pixel. The collect route drops these events, and a verification
// reports them (spec 5.2). Written at most once a minute per pixel and process, without delaying the request.
// Verified pixels are skipped.
import { Context, Effect, FiberSet, Layer } from "effect"
import { type HostedPixelRow, PixelStore } from "./store.ts"

const intervalMs = 60_000
/** Pixels in memory. Clearing them costs one statement each. */
const rememberedMax = 10_000

const make = Effect.gen(function* () {
  const store = yield* PixelStore
  const run = yield* FiberSet.makeRuntime<never>()
  const recordedAtMs = new Map<string, number>()
  return {
    /** Returns immediately and never fails. `atMs`: epoch milliseconds of the server clock. */
    record: ({ id: pixelId, organizationId, verifiedAt }: HostedPixelRow, atMs: number): void => {
      if (verifiedAt !== null || atMs - (recordedAtMs.get(pixelId) ?? -Infinity) < intervalMs)
        return
      if (recordedAtMs.size >= rememberedMax) recordedAtMs.clear()
      recordedAtMs.set(pixelId, atMs)
      run(
        store
          .recordForeignEvent({ organizationId, pixelId })
          .pipe(
            Effect.catchCause((cause) => Effect.logWarning("foreign event not recorded", cause)),
          ),
      )
    },
  }
})

export class ForeignEvents extends Context.Service<ForeignEvents, Effect.Success<typeof make>>()(
  "@footfall/server/pixels/ForeignEvents",
) {
  static readonly layer = Layer.effect(ForeignEvents, make)
}
