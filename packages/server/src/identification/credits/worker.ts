// Releases people held back when a credit is free again: the month has changed, the limit was raised or
// lifted. Looks every two seconds, so no one waits five (our bound); that is also how it learns of what
// another process did. Replicas take turns, in batches that let identification in between. A failure is
// logged and tried again.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { Triggers } from "../../webhooks/triggers/triggers.ts"
import { CreditStore } from "./store.ts"

/** People of one transaction. */
export const releasedPerBatchMax = 250

export const ReleaseWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* CreditStore
    const triggers = yield* Triggers

    /** Webhooks of the person fire on release. spec 2.5. */
    const tell = (organizationId: string) => (visitorIds: ReadonlyArray<string>) =>
      triggers.pull(
        visitorIds.map((visitorId) => ({
          organizationId,
          visitorId,
          pixelId: null,
          kind: "release" as const,
        })),
      )

    const releaseAll = (organizationId: string) =>
      Effect.uninterruptible(
        store.release(organizationId, releasedPerBatchMax, tell(organizationId)),
      ).pipe(Effect.repeat({ while: (released) => released >= releasedPerBatchMax }))

    const releaseDue = Effect.flatMap(store.releasable, (organizations) =>
      Effect.forEach(organizations, releaseAll, { discard: true }),
    )
    yield* every("2 seconds", "people not released", releaseDue)
  }),
)
