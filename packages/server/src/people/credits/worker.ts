// Releases people held back when credits are available again: a new month, or a higher or removed limit. Polls
// every two seconds, so no release takes five; polling also notices changes by other processes. Processes take
// turns, in batches that let identification run in between. Logs failures and retries.
import { Effect, Layer } from "effect"
import { every } from "../../platform/jobs/every.ts"
import { Occasions } from "../visitors/occasions.ts"
import { CreditStore } from "./store.ts"

/** People per transaction. */
export const releasedPerBatchMax = 250

export const ReleaseWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* CreditStore
    const occasions = yield* Occasions

    /** Their webhooks fire on release. spec 2.5. */
    const notify = (organizationId: string) => (visitorIds: ReadonlyArray<string>) =>
      occasions.announce(
        visitorIds.map((visitorId) => ({
          organizationId,
          visitorId,
          pixelId: null,
          kind: "release" as const,
        })),
      )

    const releaseAll = (organizationId: string) =>
      Effect.uninterruptible(
        store.release(organizationId, releasedPerBatchMax, notify(organizationId)),
      ).pipe(Effect.repeat({ while: (released) => released >= releasedPerBatchMax }))

    const releaseDue = Effect.flatMap(store.releasable, (organizations) =>
      Effect.forEach(organizations, releaseAll, { discard: true }),
    )
    yield* every("2 seconds", "could not release people held back", releaseDue)
  }),
)
