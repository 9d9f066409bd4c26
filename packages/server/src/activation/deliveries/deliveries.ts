// Starts, lists, gets, retries and cancels an audience's deliveries (spec 4.4, 5.10). What a delivery will send is
// fixed when it is created: the latest completed run, the mode, and the baseline it is compared with. A worker performs
// it.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../access/audit/audit.ts"
import type { Caller } from "../../access/caller.ts"
import { type AudienceKey, AudienceLifecycleStore } from "../../intent/audiences/lifecycle/store.ts"
import { destinationStatuses } from "../destinations/destination.ts"
import type { Target } from "../destinations/targets/target.ts"
import { Targets } from "../destinations/targets/targets.ts"
import type { ListKey } from "../../platform/database/lists.ts"
import { KeyedLists, type ListPosition } from "../../platform/lists/keyed-lists.ts"
import { JobWakes } from "../../platform/jobs/queue.ts"
import { RunStore } from "../../intent/runs/store.ts"
import {
  type ContactOutcome,
  type DeliveryKey,
  deliveryQueue,
  deliveryStatuses,
  type RequestedMode,
} from "./delivery.ts"
import { contactPayload, messageIdOfContact } from "./sending/contact-payload.ts"
import type { FailedContactKey } from "./sql/failed-contacts.ts"
import type { DeliveryContactRow } from "./sql/settled-contacts.ts"
import {
  type DeliveryFailureRow,
  type DeliveryFilters,
  type DeliveryRow,
  DeliveryStore,
} from "./store.ts"

/** The audience, or its destination or delivery, does not exist. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()(
  "DeliveryNotFound",
  {},
) {}

export class DestinationNotActive extends Schema.TaggedError<DestinationNotActive>()(
  "DestinationNotActive",
  { status: Schema.Literals(destinationStatuses) },
) {}

/** Only for an active destination. */ // spec 5.10
export class DeliveryNotEligible extends Schema.TaggedError<DeliveryNotEligible>()(
  "DeliveryNotEligible",
  { reason: Schema.Literals(["intent_disabled", "config_not_approved"]) },
) {}

export class NoCompletedRun extends Schema.TaggedError<NoCompletedRun>()("NoCompletedRun", {}) {}

const status = Schema.Literals(deliveryStatuses)

/** A destination has at most one delivery in progress. */
export class DeliveryInProgress extends Schema.TaggedError<DeliveryInProgress>()(
  "DeliveryInProgress",
  { status, deliveryId: Schema.String },
) {}

/** The key was used within 24 hours for another mode. */
export class DeliveryKeyMismatch extends Schema.TaggedError<DeliveryKeyMismatch>()(
  "DeliveryKeyMismatch",
  {},
) {}

/** None of its contacts failed, it has not ended, or its source run is no longer stored. */
export class DeliveryNotRepeatable extends Schema.TaggedError<DeliveryNotRepeatable>()(
  "DeliveryNotRepeatable",
  { status },
) {}

export class DeliveryNotQueued extends Schema.TaggedError<DeliveryNotQueued>()(
  "DeliveryNotQueued",
  { status },
) {}

export class DeliveryNotWaiting extends Schema.TaggedError<DeliveryNotWaiting>()(
  "DeliveryNotWaiting",
  { status },
) {}

export interface SyncRequest {
  readonly audienceId: string
  readonly destinationId: string
  readonly mode: RequestedMode
  readonly idempotencyKey: string | undefined
}

export interface QueuedDelivery {
  readonly delivery: DeliveryRow
  /** Whether an earlier request with the same key created it. */
  readonly isReplay: boolean
}

const make = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const audiences = yield* AudienceLifecycleStore
  const runs = yield* RunStore
  const targets = yield* Targets
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const wakes = yield* JobWakes
  const random = yield* SecureRandom.SecureRandom

  const audienceOf = Effect.fnUntraced(function* (key: AudienceKey) {
    return (yield* audiences.find(key)) ?? (yield* new DeliveryNotFound())
  })

  /** The lock ensures that a destination's deliveries are created one at a time. */
  const targetOf = Effect.fnUntraced(function* (key: AudienceKey, destinationId: string) {
    const { audienceId, organizationId } = key
    yield* store.lockDestination({ organizationId, destinationId })
    const target = yield* targets.find({ organizationId, destinationId })
    // A path may spell an id in upper case.
    const isOfAudience = target?.audienceId === audienceId.toLowerCase()
    return isOfAudience && !target.isDeleted ? target : yield* new DeliveryNotFound()
  })

  const checkEligible = Effect.fnUntraced(function* ({
    isApproved,
    organizationId,
    status,
  }: Target) {
    if (status !== "active") return yield* new DestinationNotActive({ status })
    if (!(yield* store.isIntentEnabled(organizationId))) {
      return yield* new DeliveryNotEligible({ reason: "intent_disabled" })
    }
    if (!isApproved) return yield* new DeliveryNotEligible({ reason: "config_not_approved" })
  })

  const checkIdle = Effect.fnUntraced(function* ({ id: destinationId, organizationId }: Target) {
    const live = yield* store.live({ organizationId, destinationId })
    if (live !== undefined) {
      return yield* new DeliveryInProgress({ status: live.status, deliveryId: live.id })
    }
  })

  const syncOne = Effect.fnUntraced(function* (
    caller: Caller,
    { audienceId, destinationId, idempotencyKey, mode }: SyncRequest,
  ) {
    const { organizationId } = caller
    const key = { organizationId, audienceId }
    yield* audienceOf(key)
    const target = yield* targetOf(key, destinationId)
    const replayed =
      idempotencyKey === undefined
        ? undefined
        : yield* store.byIdempotencyKey({ organizationId, destinationId }, idempotencyKey)
    if (replayed !== undefined) {
      if (replayed.requestedMode !== mode) return yield* new DeliveryKeyMismatch()
      return { delivery: replayed.delivery, isReplay: true }
    }
    yield* checkEligible(target)
    const run = (yield* runs.latestCompleted(key)) ?? (yield* new NoCompletedRun())
    yield* checkIdle(target)
    const deliveryId = yield* random.uuidV4()
    const delivery = yield* store.insert({
      organizationId,
      id: deliveryId,
      audienceId,
      destinationId,
      destinationConfigRevision: target.configRevision,
      sourceRunId: run.id,
      ...comparedWith(target, mode),
      requestedMode: mode,
      retryOfDeliveryId: null,
      idempotencyKey: idempotencyKey ?? null,
    })
    yield* audit.record(caller, "delivery.queued", deliveryId)
    // Every other request to create one waits for the lock.
    return { delivery: delivery!, isReplay: false }
  })

  const find = Effect.fn("Deliveries.find")(function* (key: DeliveryKey) {
    yield* audienceOf(key)
    return (yield* store.find(key)) ?? (yield* new DeliveryNotFound())
  })

  const failedContact = Effect.fn("Deliveries.failedContact")(function* (key: FailedContactKey) {
    const { organizationId } = key
    const { destinationId, sourceRunId } = yield* find(key)
    const failed = (yield* store.failedContact(key)) ?? (yield* new DeliveryNotFound())
    const work = yield* store.begun(key)
    const target = yield* targets.find({ organizationId, destinationId })
    if (work === undefined || target === undefined) {
      return { ...failed, messageId: null, payload: null }
    }
    const isWebhook = target.config.destinationType === "webhook"
    const contact = yield* store.sendableContact(key, sourceRunId)
    return {
      ...failed,
      messageId: isWebhook ? messageIdOfContact(key.deliveryId, key.hashedEmail) : null,
      payload:
        contact === undefined ? null : contactPayload(work, target, contact, failed.lastAttemptAt),
    }
  })

  /** `hashedEmail`: the only contact to send again; undefined for all that failed or were not reached. */
  const retryOne = Effect.fnUntraced(function* (
    caller: Caller,
    key: DeliveryKey,
    hashedEmail: string | undefined,
  ) {
    const original = yield* find(key)
    const contact = hashedEmail === undefined ? undefined : { ...key, hashedEmail }
    if (contact !== undefined && (yield* store.failedContact(contact)) === undefined) {
      return yield* new DeliveryNotFound()
    }
    const { organizationId } = key
    const target = yield* targetOf(key, original.destinationId)
    yield* checkEligible(target)
    const run = yield* runs.find({ ...key, runId: original.sourceRunId })
    const mayRepeat = contact === undefined ? isRepeatable : isCompleted
    if (!mayRepeat(original) || run === undefined || run.resultsAreRemoved) {
      return yield* new DeliveryNotRepeatable({ status: original.status })
    }
    yield* checkIdle(target)
    const deliveryId = yield* random.uuidV4()
    const delivery = yield* store.insert({
      organizationId,
      id: deliveryId,
      audienceId: original.audienceId,
      destinationId: original.destinationId,
      destinationConfigRevision: target.configRevision,
      sourceRunId: original.sourceRunId,
      baselineRunId: original.baselineRunId,
      mode: original.mode,
      requestedMode: null,
      retryOfDeliveryId: original.id,
      idempotencyKey: null,
    })
    if (
      contact !== undefined &&
      !(yield* store.planContact(contact, { ...original, id: deliveryId }))
    ) {
      return yield* new DeliveryNotRepeatable({ status: original.status })
    }
    yield* audit.record(caller, "delivery.queued", deliveryId)
    return delivery!
  })

  return {
    /**
     * Queues a delivery of the latest completed run, or returns the one that the same key created within 24 hours, in
     * its current state, whatever the destination's status. The first delivery is `initial`.
     *
     * *Errors*, in this order: DeliveryNotFound without audience or destination, DeliveryKeyMismatch,
     * DestinationNotActive, DeliveryNotEligible, NoCompletedRun, DeliveryInProgress.
     */
    sync: Effect.fn("Deliveries.sync")(function* (caller: Caller, request: SyncRequest) {
      const queued = yield* store.transaction(syncOne(caller, request))
      yield* wakes.wake(deliveryQueue)
      return queued
    }),

    /** Newest first. Errors: DeliveryNotFound without an audience, CursorRefused. */
    list: Effect.fn("Deliveries.list")(function* (
      key: AudienceKey,
      filters: DeliveryFilters,
      position: ListPosition,
      limit: number,
    ) {
      const { audienceId, organizationId } = key
      return yield* lists.page<DeliveryRow, DeliveryNotFound>(
        {
          organizationId,
          route: "GET /v1/intent/audiences/{audienceId}/deliveries",
          filters: [audienceId, filters.destinationId ?? null, filters.status ?? null],
          position,
          limit,
        },
        { ...store.list(key, filters), parent: audienceOf(key) },
      )
    }),

    find,

    /**
     * Contacts with an outcome: those that failed, latest attempt first, then the others in sending order. Only those
     * that failed are known once the run's results are no longer stored. Errors: DeliveryNotFound, CursorRefused.
     */ // spec 5.10.18
    contacts: Effect.fn("Deliveries.contacts")(function* (
      key: DeliveryKey,
      outcome: ContactOutcome | undefined,
      position: ListPosition,
      limit: number,
    ) {
      const read = Effect.fnUntraced(function* (after: ListKey | undefined, rowsMax: number) {
        const { sourceRunId } = yield* find(key)
        const run = yield* runs.find({ ...key, runId: sourceRunId })
        const hasResults = run !== undefined && !run.resultsAreRemoved
        const question = { ...key, sourceRunId, hasResults }
        return yield* store.settledContacts(question, outcome, { after, limit: rowsMax })
      })
      return yield* lists.page<DeliveryContactRow, DeliveryNotFound>(
        {
          organizationId: key.organizationId,
          route: "GET /v1/intent/audiences/{audienceId}/deliveries/{deliveryId}/contacts",
          filters: [key.audienceId, key.deliveryId, outcome ?? null],
          position,
          limit,
        },
        {
          parent: find(key),
          rows: (start, rowsMax) => read("after" in start ? start.after : undefined, rowsMax),
          count: () => Effect.succeed(null),
          keyOf: (row) => [row.outcome, ...row.key],
        },
      )
    }),

    /** Contacts that failed, latest attempt first. Errors: DeliveryNotFound, CursorRefused. */
    failures: Effect.fn("Deliveries.failures")(function* (
      key: DeliveryKey,
      position: ListPosition,
      limit: number,
    ) {
      return yield* lists.page<DeliveryFailureRow, DeliveryNotFound>(
        {
          organizationId: key.organizationId,
          route: "GET /v1/intent/audiences/{audienceId}/deliveries/{deliveryId}/failures",
          filters: [key.audienceId, key.deliveryId],
          position,
          limit,
        },
        {
          parent: find(key),
          rows: (start, rowsMax) => store.failures(key, start, rowsMax),
          count: () => store.countFailures(key),
          keyOf: ({ hashedEmail, lastAttemptKey }) => [lastAttemptKey, hashedEmail],
        },
      )
    }),

    /**
     * Queues a delivery of the contacts that failed or were not reached, with the old delivery's mode, source run and
     * baseline.
     *
     * *Errors*, in this order: DeliveryNotFound, DestinationNotActive, DeliveryNotEligible, DeliveryNotRepeatable,
     * DeliveryInProgress.
     */
    retry: Effect.fn("Deliveries.retry")(function* (caller: Caller, key: DeliveryKey) {
      const delivery = yield* store.transaction(retryOne(caller, key, undefined))
      yield* wakes.wake(deliveryQueue)
      return delivery
    }),

    /**
     * A failed contact with each attempt, and what it would be sent now: nothing if it is suppressed or its result is
     * no longer stored. Errors: DeliveryNotFound, also for a contact that did not fail.
     */ // spec 5.10.15
    failedContact,

    /**
     * Like `retry`, for this contact only. A delivery that did not complete is retried as a whole, because completing
     * with a single contact would suggest that everyone was reached.
     */ // spec 5.10.16
    retryContact: Effect.fn("Deliveries.retryContact")(function* (
      caller: Caller,
      { hashedEmail, ...key }: FailedContactKey,
    ) {
      const delivery = yield* store.transaction(retryOne(caller, key, hashedEmail))
      yield* wakes.wake(deliveryQueue)
      return delivery
    }),

    /**
     * Lets the removals of a delivery that waits for approval through, and activates its destination. Errors:
     * DeliveryNotFound; DeliveryNotWaiting, also on the second call.
     */ // spec 5.10.19
    approve: Effect.fn("Deliveries.approve")(function* (caller: Caller, key: DeliveryKey) {
      yield* audienceOf(key)
      const approved = yield* store.transaction(
        Effect.gen(function* () {
          const found = yield* store.find(key)
          if (found !== undefined) yield* store.lockDestination(found)
          const delivery = yield* store.approveRemovals(key)
          if (delivery !== undefined) {
            yield* audit.record(caller, "delivery.removals_approved", delivery.id)
          }
          return delivery
        }),
      )
      if (approved !== undefined) {
        yield* wakes.wake(deliveryQueue)
        return approved
      }
      const { status } = (yield* store.find(key)) ?? (yield* new DeliveryNotFound())
      return yield* new DeliveryNotWaiting({ status })
    }),

    /** Errors: DeliveryNotFound; DeliveryNotQueued, also on the second call or if a worker claimed it first. */
    cancel: Effect.fn("Deliveries.cancel")(function* (caller: Caller, key: DeliveryKey) {
      yield* audienceOf(key)
      const cancelled = yield* store.transaction(
        Effect.tap(store.cancel(key), (delivery) =>
          delivery === undefined
            ? Effect.void
            : audit.record(caller, "delivery.cancelled", key.deliveryId),
        ),
      )
      if (cancelled !== undefined) {
        // Another delivery may follow.
        yield* wakes.wake(deliveryQueue)
        return cancelled
      }
      const { status } = (yield* store.find(key)) ?? (yield* new DeliveryNotFound())
      return yield* new DeliveryNotQueued({ status })
    }),
  }
})

export class Deliveries extends Context.Service<Deliveries, Effect.Success<typeof make>>()(
  "@footfall/server/deliveries/Deliveries",
) {
  static readonly layer = Layer.effect(Deliveries, make)
}

/** The first delivery covers everyone, and so does a requested full resync. */ // spec 2.16, 4.4
export const comparedWith = (
  {
    initialSyncCompletedAt,
    lastSuccessfulRunId,
  }: Pick<Target, "initialSyncCompletedAt" | "lastSuccessfulRunId">,
  mode: RequestedMode,
) => {
  if (initialSyncCompletedAt === null) return { mode: "initial", baselineRunId: null } as const
  return mode === "incremental"
    ? ({ mode, baselineRunId: lastSuccessfulRunId } as const)
    : ({ mode, baselineRunId: null } as const)
}

const isCompleted = ({ status }: DeliveryRow): boolean => status === "completed"

const isRepeatable = ({ failedCount, status }: DeliveryRow): boolean =>
  status === "failed" || (status === "completed" && failedCount > 0)
