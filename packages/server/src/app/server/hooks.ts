// What later rooms do in transactions of earlier ones: services that the earlier rooms declare and the later rooms
// implement.
import { Effect, Layer } from "effect"
import { AudienceChanges } from "../../intent/audiences/lifecycle/audience.ts"
import { AudienceLifecycleStore } from "../../intent/audiences/lifecycle/store.ts"
import { WebhookStore } from "../../activation/webhooks/store.ts"
import { SegmentUse } from "../../people/visitors/segments/segments.ts"
import { DeliveryStore } from "../../activation/deliveries/store.ts"
import { automaticDeliveries, erasedDeliveries } from "../../activation/deliveries/layer.ts"
import { stoppedDestinations } from "../../activation/destinations/destinations.ts"
import { makeServiceKinds } from "../../activation/destinations/sources/service-kinds.ts"
import { SourceKinds } from "../../people/suppression-sources/source.ts"
import { makeUrlKind } from "../../people/suppression-sources/url-kind.ts"
import { InboundRecordStore } from "../../collect/inbound/records-store.ts"
import { erasedRecords } from "../../collect/inbound/erased-records.ts"
import { LaterErasure } from "../../people/erasure/later-erasure.ts"
import { erasedExports } from "../../intent/runs/exports/exports.ts"
import { ReadyMails } from "../../intent/runs/exports/ready-mail/ready-mails.ts"
import { erasedResults, ResultErasureStore } from "../../intent/runs/results/erasure-store.ts"
import { RunCompletion } from "../../intent/runs/run.ts"
import { cancelledRuns } from "../../intent/runs/runs.ts"
import { erasedSignals } from "../../intent/signals/erasure/erased-signals.ts"
import { SignalErasureStore } from "../../intent/signals/erasure/store.ts"

/** What later rooms do in a transaction that changes an audience. */
export const ChangesOfAudiences = Layer.effect(
  AudienceChanges,
  Effect.map(Effect.all([cancelledRuns, stoppedDestinations]), (parts) =>
    AudienceChanges.of({
      paused: (...key) => Effect.forEach(parts, (part) => part.paused(...key), { discard: true }),
      deleted: (...key) => Effect.forEach(parts, (part) => part.deleted(...key), { discard: true }),
    }),
  ),
)

/** What uses a segment in later rooms. */
export const UseOfSegments = Layer.effect(
  SegmentUse,
  Effect.gen(function* () {
    const audiences = yield* AudienceLifecycleStore
    const webhooks = yield* WebhookStore
    return SegmentUse.of({
      of: (organizationId, segmentId) =>
        Effect.all({
          audienceIds: audiences.usingSegment(organizationId, segmentId),
          webhookIds: webhooks.usingSegment(organizationId, segmentId),
        }),
    })
  }),
)

/** How each kind of suppression source is read. */
export const KindsOfSources = Layer.effect(
  SourceKinds,
  Effect.gen(function* () {
    return SourceKinds.of({ url: yield* makeUrlKind, ...(yield* makeServiceKinds) })
  }),
)

/** What later rooms do in a transaction that completes a run. */
export const CompletionOfRuns = Layer.effect(
  RunCompletion,
  Effect.gen(function* () {
    const parts = [yield* ReadyMails, yield* automaticDeliveries]
    return RunCompletion.of({
      completed: (run) => Effect.forEach(parts, (part) => part.completed(run), { discard: true }),
    })
  }),
).pipe(Layer.provide(ReadyMails.layer))

/**
 * What an erasure deletes in later rooms, in order. Exports come before results, which they need to find their people.
 */
export const Erasures = Layer.effect(
  LaterErasure,
  Effect.gen(function* () {
    const signals = yield* SignalErasureStore
    const results = yield* ResultErasureStore
    const deliveries = yield* DeliveryStore
    const records = yield* InboundRecordStore
    return LaterErasure.of({
      waitForOthers: signals.lock,
      parts: yield* Effect.all([
        erasedSignals,
        erasedExports,
        erasedResults,
        erasedDeliveries,
        erasedRecords,
      ]),
      kept: (person) =>
        [signals.kept, results.kept, deliveries.kept, records.kept].flatMap((of) => of(person)),
      knows: Effect.fnUntraced(function* (organizationId, emailHash) {
        if (yield* records.knows(organizationId, emailHash)) return true
        if ((yield* signals.numbersOf(organizationId, [emailHash])).length > 0) return true
        return yield* results.knows(organizationId, emailHash)
      }),
    })
  }),
)
