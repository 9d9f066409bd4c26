// Applies retention of webhooks once a minute, from the start on, so that what a deleted webhook leaves
// behind does not wait long. A failure is logged and tried again.
import { Effect, Layer } from "effect"
import { WebhookRetention } from "./webhook-retention.ts"

const interval = "1 minute"

export const WebhookRetentionWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const retention = yield* WebhookRetention
    yield* retention.apply.pipe(
      Effect.catchCause((cause) => Effect.logError("webhook retention not applied", cause)),
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
