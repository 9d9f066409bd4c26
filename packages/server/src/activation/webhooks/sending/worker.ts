// Sends queued webhook deliveries while its scope is open (spec 8.5). Delivers at least once: after a crash, a delivery
// without a stored outcome is sent again with the same `webhook-id` and, except for digests, the same body.
import { Cause, Clock, Effect, Layer } from "effect"
import { type Closing, isClosing, requestsEndWithin, work } from "../../../platform/jobs/worker.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { postMessage } from "../../../platform/outbound/message.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import { placesOfSlow } from "../../../platform/outbound/promptness.ts"
import { openSecrets } from "../signing-secrets.ts"
import { isSigned } from "../webhook.ts"
import { AlertMails } from "./alert-mails.ts"
import { type Attempt, attemptOf, type Settlement, settlementOf } from "./outcome.ts"
import { Pace } from "./pace.ts"
import { Preparation, webhookIdOf } from "./preparation.ts"
import { readAheadMsMax, webhookQueue, WebhookPlaces } from "./queue.ts"
import { Settlements } from "./settlements.ts"
import { type ClaimedDelivery, SendingStore } from "./store.ts"

/** Wait before storing an outcome is retried. */
const writeInterval = "1 second"

export const WebhookWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* SendingStore
    const preparation = yield* Preparation
    const settlements = yield* Settlements
    const outbound = yield* Outbound
    const dataKeys = yield* DataKeys
    const places = yield* WebhookPlaces
    const pace = new Pace()

    const mails = yield* AlertMails

    const mailed = Effect.fnUntraced(function* (
      delivery: ClaimedDelivery,
      body: string,
      isOver: Effect.Effect<boolean>,
    ) {
      const ended = pace.began(delivery, yield* Clock.currentTimeMillis)
      return yield* mails
        .send(delivery, body, isOver)
        .pipe(Effect.onExit(() => Effect.map(Clock.currentTimeMillis, ended)))
    })

    const sent = Effect.fnUntraced(function* (
      delivery: ClaimedDelivery,
      url: string,
      body: string,
    ) {
      const at = yield* Clock.currentTimeMillis
      const secrets = isSigned(delivery.format)
        ? yield* openSecrets(dataKeys, delivery, delivery)
        : []
      const ended = pace.began(delivery, at)
      const message = { id: webhookIdOf(delivery), attempt: delivery.attempts, body, at }
      const attempt = yield* postMessage(outbound, { ...delivery, url, secrets }, message).pipe(
        Effect.map(attemptOf),
        Effect.onExit(() => Effect.map(Clock.currentTimeMillis, ended)),
      )
      const now = yield* Clock.currentTimeMillis
      // Chat services accept a few messages a second and rate-limit all of them together.
      if (attempt.retryAfterSeconds > 0 && delivery.format !== "standard") {
        pace.rest(delivery, now + attempt.retryAfterSeconds * 1_000)
      }
      return attempt
    })

    /**
     * An internal error counts as a failed attempt, so that it cannot repeat forever. A delivery claimed too long ago
     * goes back to the queue unsent.
     */ // spec 8.5.3
    const attempted = (
      delivery: ClaimedDelivery,
      body: string,
      takenAt: number,
      closing: Closing,
    ) =>
      pace
        .inTurn(
          delivery,
          Effect.gen(function* () {
            const isOver = Effect.map(
              Clock.currentTimeMillis,
              (now) => isClosing(closing) || now - takenAt > readAheadMsMax,
            )
            if (yield* isOver) return yield* Effect.interrupt
            return delivery.url === null
              ? yield* mailed(delivery, body, isOver)
              : yield* sent(delivery, delivery.url, body)
          }),
        )
        .pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause)
              ? Effect.failCause(cause)
              : Effect.as(Effect.logError("could not send a webhook", cause), notSent),
          ),
        )

    const perform = Effect.fnUntraced(function* (delivery: ClaimedDelivery, closing: Closing) {
      const { failures, payload } = delivery
      const takenAt = yield* Clock.currentTimeMillis
      const restMs = pace.restMs(delivery, takenAt)
      const isResting = payload !== null && restMs > 0 && !delivery.isRedelivery
      const attempt =
        payload === null || isResting ? null : yield* attempted(delivery, payload, takenAt, closing)
      const settlement: Settlement = isResting
        ? { status: "queued", failures, waitSeconds: restMs / 1_000 }
        : attempt === null
          ? { status: "skipped", failures, waitSeconds: 0 }
          : settlementOf(delivery, attempt)
      // Retries while the lease lasts. After that, another worker sends the delivery again.
      yield* settlements.write({ delivery, settlement, attempt }).pipe(
        Effect.tap((isWritten) => (isWritten ? Effect.void : Effect.sleep(writeInterval))),
        Effect.repeat({ until: (isWritten) => isWritten }),
      )
    })

    yield* work<ClaimedDelivery>({
      queue: webhookQueue,
      jobs: store.jobs,
      atOnce: places,
      closesWithin: requestsEndWithin,
      claim: (limit) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          preparation.next({ free: limit, ofSlow: placesOfSlow(places) }, pace.inHand(now)),
        ).pipe(
          Effect.tap((claimed) =>
            Effect.sync(() => claimed.forEach((delivery) => pace.taken(delivery))),
          ),
        ),
      perform: (delivery, closing) =>
        Effect.ensuring(
          perform(delivery, closing),
          Effect.sync(() => pace.done(delivery)),
        ),
      fail: store.giveUp,
    })
  }),
)

const notSent: Attempt = {
  isSuccess: false,
  isGone: false,
  isFinal: false,
  statusCode: null,
  errorMessage: "The request could not be sent.",
  responseSnippet: null,
  retryAfterSeconds: 0,
}
