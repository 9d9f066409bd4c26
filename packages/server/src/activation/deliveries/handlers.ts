// Maps requests and responses to the Deliveries service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { replay } from "../../access/repeats/repeats.ts"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import {
  cursorRefused,
  hintIfEmpty,
  pageSizeDefault,
  positionOf,
} from "../../platform/http/lists.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import type { ListPage } from "../../platform/lists/keyed-lists.ts"
import {
  Deliveries,
  type DeliveryInProgress,
  type DeliveryNotEligible,
  type DeliveryNotQueued,
  type DeliveryNotRepeatable,
  type DeliveryNotWaiting,
  type DestinationNotActive,
} from "./deliveries.ts"
import type { Delivery, DeliveryContact, DeliveryFailure } from "./delivery.ts"
import type { DeliveryContactRow } from "./sql/settled-contacts.ts"
import type { DeliveryFailureRow, DeliveryRow } from "./store.ts"
import { DeliveriesApi } from "./api.ts"

/** spec 10.3. */
const deliveriesPageSizeDefault = 25

export const DeliveriesHandlers = HttpApiBuilder.group(
  footfall.add(DeliveriesApi),
  "deliveries",
  Effect.fn(function* (handlers) {
    const deliveries = yield* Deliveries

    const keyOf = Effect.fnUntraced(function* (params: {
      readonly audienceId: string
      readonly deliveryId: string
    }) {
      const { organizationId } = yield* Caller
      return { organizationId, audienceId: params.audienceId, deliveryId: params.deliveryId }
    })

    const failureKeyOf = Effect.fnUntraced(function* (params: {
      readonly audienceId: string
      readonly deliveryId: string
      readonly hashedEmail: string
    }) {
      return { ...(yield* keyOf(params)), hashedEmail: params.hashedEmail }
    })

    return handlers.handleAll({
      sync: Effect.fnUntraced(
        function* ({ headers, params, payload }) {
          const queued = yield* deliveries.sync(yield* Caller, {
            audienceId: params.audienceId,
            destinationId: params.destinationId,
            mode: payload.mode ?? "incremental",
            idempotencyKey: headers["idempotency-key"],
          })
          const answer = yield* success({ delivery: wireOf(queued.delivery) })
          // Both have the same body, so the status is set here; 202 is the contract's first.
          return queued.isReplay ? replay(answer) : answer
        },
        Effect.catchTags({
          DeliveryNotFound: () => notFound,
          DeliveryKeyMismatch: () =>
            refuse({
              code: "IDEMPOTENCY_MISMATCH",
              message: "This Idempotency-Key was used in the last 24 hours for a different mode.",
            }),
          DestinationNotActive: notActive,
          DeliveryNotEligible: notEligible,
          NoCompletedRun: () =>
            refuse({
              code: "NO_COMPLETED_RUN",
              message: "The audience has no completed run yet. Start a run first.",
            }),
          DeliveryInProgress: inProgress,
        }),
      ),
      list: Effect.fnUntraced(
        function* ({ params, query }) {
          const { organizationId } = yield* Caller
          const { destinationId, limit = deliveriesPageSizeDefault, status } = query
          const page = yield* deliveries.list(
            { organizationId, audienceId: params.audienceId },
            { destinationId, status },
            yield* positionOf(query),
            limit,
          )
          return yield* success(
            { deliveries: page.rows.map(wireOf), total: page.total ?? 0 },
            {
              ...metaOf(page, limit),
              ...(page.total === 0 ? hintIfEmpty(page.rows, "deliveries") : {}),
            },
          )
        },
        Effect.catchTags({ DeliveryNotFound: () => notFound, CursorRefused: cursorRefused }),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const delivery = yield* deliveries.find(yield* keyOf(params))
          return yield* success({ delivery: wireOf(delivery) })
        },
        Effect.catchTag("DeliveryNotFound", () => notFound),
      ),
      contacts: Effect.fnUntraced(
        function* ({ params, query }) {
          const { limit = pageSizeDefault, outcome } = query
          const position = yield* positionOf(query)
          const page = yield* deliveries.contacts(yield* keyOf(params), outcome, position, limit)
          const { hasMore, nextCursor } = page
          return yield* success(
            { contacts: page.rows.map(contactOf) },
            { limit, hasMore, nextCursor },
          )
        },
        Effect.catchTags({ DeliveryNotFound: () => notFound, CursorRefused: cursorRefused }),
      ),
      failures: Effect.fnUntraced(
        function* ({ params, query }) {
          const limit = query.limit ?? pageSizeDefault
          const position = yield* positionOf(query)
          const page = yield* deliveries.failures(yield* keyOf(params), position, limit)
          return yield* success(
            { failures: page.rows.map(failureOf), total: page.total ?? 0 },
            metaOf(page, limit),
          )
        },
        Effect.catchTags({ DeliveryNotFound: () => notFound, CursorRefused: cursorRefused }),
      ),
      failure: Effect.fnUntraced(
        function* ({ params }) {
          const failure = yield* deliveries.failedContact(yield* failureKeyOf(params))
          return yield* success({ failure })
        },
        Effect.catchTag("DeliveryNotFound", () => notFound),
      ),
      retryFailure: Effect.fnUntraced(
        function* ({ params }) {
          const key = yield* failureKeyOf(params)
          const delivery = yield* deliveries.retryContact(yield* Caller, key)
          return yield* success({ delivery: wireOf(delivery) })
        },
        Effect.catchTags({
          DeliveryNotFound: () => notFound,
          DestinationNotActive: notActive,
          DeliveryNotEligible: notEligible,
          DeliveryNotRepeatable: contactNotRepeatable,
          DeliveryInProgress: inProgress,
        }),
      ),
      retry: Effect.fnUntraced(
        function* ({ params }) {
          const delivery = yield* deliveries.retry(yield* Caller, yield* keyOf(params))
          return yield* success({ delivery: wireOf(delivery) })
        },
        Effect.catchTags({
          DeliveryNotFound: () => notFound,
          DestinationNotActive: notActive,
          DeliveryNotEligible: notEligible,
          DeliveryNotRepeatable: notRepeatable,
          DeliveryInProgress: inProgress,
        }),
      ),
      cancel: Effect.fnUntraced(
        function* ({ params }) {
          const delivery = yield* deliveries.cancel(yield* Caller, yield* keyOf(params))
          return yield* success({ delivery: wireOf(delivery) })
        },
        Effect.catchTags({ DeliveryNotFound: () => notFound, DeliveryNotQueued: notQueued }),
      ),
      approve: Effect.fnUntraced(
        function* ({ params }) {
          const delivery = yield* deliveries.approve(yield* Caller, yield* keyOf(params))
          return yield* success({ delivery: wireOf(delivery) })
        },
        Effect.catchTags({ DeliveryNotFound: () => notFound, DeliveryNotWaiting: notWaiting }),
      ),
    })
  }),
)

const wireOf = ({ createdKey: _, ...delivery }: DeliveryRow): Delivery => delivery

const failureOf = ({ lastAttemptKey: _, ...failure }: DeliveryFailureRow): DeliveryFailure =>
  failure

const contactOf = ({ key: _, ...contact }: DeliveryContactRow): DeliveryContact => contact

/** Without `total`, which is part of the data. */
const metaOf = <Row>({ hasMore, nextCursor, offset }: ListPage<Row>, limit: number) => ({
  limit,
  offset,
  hasMore,
  nextCursor,
})

const notActive = ({ status }: DestinationNotActive) =>
  refuse({
    code: "DESTINATION_NOT_ACTIVE",
    message: `The destination is ${status}. Activate it first.`,
    details: { status },
  })

const reasons = {
  intent_disabled:
    "Intent is not enabled for this organization. Ask your server's operator to enable it.",
  config_not_approved: "The destination's configuration has not been approved.",
} as const

const notEligible = ({ reason }: DeliveryNotEligible) =>
  refuse({ code: "DELIVERY_NOT_ELIGIBLE", message: reasons[reason], details: { reason } })

const inProgress = ({ deliveryId, status }: DeliveryInProgress) =>
  refuse({
    code: "DELIVERY_IN_PROGRESS",
    message: `Another delivery to this destination is ${status}. Wait for it to end.`,
    details: { status, deliveryId },
  })

const notRepeatable = ({ status }: DeliveryNotRepeatable) =>
  refuse({
    code: "CONFLICT",
    message: `The delivery is ${status} and has no failed contacts to retry.`,
    details: { status },
  })

const contactNotRepeatable = ({ status }: DeliveryNotRepeatable) =>
  refuse({
    code: "CONFLICT",
    message:
      status === "completed"
        ? "The result for this contact is no longer stored, so it can't be sent again."
        : `The delivery is ${status}. Retry the whole delivery; one contact can be retried after it completes.`,
    details: { status },
  })

const notQueued = ({ status }: DeliveryNotQueued) =>
  refuse({
    code: "CONFLICT",
    message: `The delivery is ${status}. Only a queued delivery can be canceled.`,
    details: { status },
  })

const notWaiting = ({ status }: DeliveryNotWaiting) =>
  refuse({
    code: "CONFLICT",
    message: `The delivery is ${status} and does not wait for an approval of removals.`,
    details: { status },
  })
