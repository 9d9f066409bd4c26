// The signal that this process has stored new events. It only wakes the identification pass early:
// what other processes store is found by looking once a second, so a lost signal costs a second.
import { Context, Effect, Latch, Layer } from "effect"

export class Arrivals extends Context.Service<
  Arrivals,
  {
    /** Called after a commit; never blocks, never fails. */
    notify(): void
    /** Waits until something was stored since the last time this returned. */
    readonly next: Effect.Effect<void>
  }
>()("@footfall/server/visits/Arrivals") {
  static readonly layer = Layer.effect(
    Arrivals,
    Effect.gen(function* () {
      const latch = yield* Latch.make()
      return Arrivals.of({
        notify: () => {
          latch.openUnsafe()
        },
        next: Effect.andThen(latch.await, latch.close),
      })
    }),
  )
}
