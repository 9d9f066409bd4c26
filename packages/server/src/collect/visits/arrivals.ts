// Signals that this process stored new events, which wakes the identification pass early. Events stored by other
// processes are found by polling once a second, so a lost signal costs at most a second.
import { Context, Effect, Latch, Layer } from "effect"

export class Arrivals extends Context.Service<
  Arrivals,
  {
    /** Call it after a commit. Never blocks and never fails. */
    notify(): void
    /** Waits until something was stored since this last returned. */
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
