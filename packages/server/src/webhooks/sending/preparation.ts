// Takes deliveries from the queue and makes their bodies, in one transaction: a body is kept before it is
// sent for the first time, so that every attempt and every redelivery sends the same one. It says what is
// known of the person at that moment, and nothing is made for people who must not be sent any more.
import { Context, DateTime, Effect, Layer } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { messageIdOf } from "../../outbound/signing.ts"
import type { ListScope } from "../../visitors/list-scope.ts"
import { canonicalVisitorOf } from "../../visitors/visitor.ts"
import type { VisitorRow } from "../../visitors/visitor-row.ts"
import { VisitorStore } from "../../visitors/store.ts"
import { payloadOf } from "./payload.ts"
import { type ClaimedDelivery, type InHand, SendingStore } from "./store.ts"

export class Preparation extends Context.Service<
  Preparation,
  {
    /**
     * At most `limit` deliveries that are due, in the hands of the caller. Without a payload: there is
     * no one left to send.
     */
    next(
      limit: number,
      inHand: ReadonlyArray<InHand>,
    ): Effect.Effect<ReadonlyArray<ClaimedDelivery>, DatabaseError>
  }
>()("@footfall/server/webhooks/Preparation") {
  static readonly layer = Layer.effect(
    Preparation,
    Effect.gen(function* () {
      const store = yield* SendingStore
      const visitors = yield* VisitorStore

      const payloadsOf = Effect.fnUntraced(function* (
        asOf: DateTime.Utc,
        deliveries: ReadonlyArray<ClaimedDelivery>,
      ) {
        const { organizationId, webhookPixelId } = deliveries[0]!
        const scope = wholeHistory(organizationId, webhookPixelId, asOf)
        const ids = [...new Set(deliveries.flatMap(({ visitorId }) => visitorId ?? []))]
        const rows = yield* visitors.ofIds(scope, ids)
        return deliveries.map((delivery) => ({
          ...delivery,
          payload: madeOf(delivery, rows.get(delivery.visitorId ?? "")),
        }))
      })

      const next = (limit: number, inHand: ReadonlyArray<InHand>) =>
        store.transaction(
          Effect.gen(function* () {
            const claimed = yield* store.claim(limit, inHand)
            if (claimed.length === 0) return []
            const asOf = yield* DateTime.now
            const told = claimed.map((delivery) =>
              delivery.visitorId === null ? { ...delivery, payload: null } : delivery,
            )
            const isNew = ({ payload, visitorId }: ClaimedDelivery) =>
              payload === null && visitorId !== null
            const scopes = Map.groupBy(
              told.filter(isNew),
              ({ organizationId, webhookPixelId }) => `${organizationId} ${webhookPixelId}`,
            )
            const made = (yield* Effect.forEach(scopes.values(), (group) =>
              payloadsOf(asOf, group),
            )).flat()
            yield* store.keepPayloads(
              made.flatMap(({ attempts, claim, id, organizationId, payload }) =>
                payload === null ? [] : [{ organizationId, id, attempts, claim, payload }],
              ),
            )
            return [...told.filter((delivery) => !isNew(delivery)), ...made]
          }),
        )

      return Preparation.of({ next })
    }),
  )
}

/** `webhook-id`: drawn with the id of the delivery, the same for every attempt. */ // spec 8.5
export const webhookIdOf = ({ event, id }: Pick<ClaimedDelivery, "event" | "id">): string =>
  messageIdOf(id, event, "")

/** Of the webhook's pixel, or of all. spec 8.5. */
const wholeHistory = (
  organizationId: string,
  pixelId: string | null,
  asOf: DateTime.Utc,
): ListScope => ({
  organizationId,
  pixelId: pixelId ?? undefined,
  isEmpty: false,
  timeframe: "all",
  asOf,
  from: undefined,
  suppressed: "exclude",
})

const madeOf = (delivery: ClaimedDelivery, row: VisitorRow | undefined): string | null => {
  const { createdAt, event, organizationId, pixelDomain, pixelId, segment, trigger } = delivery
  if (row === undefined) return null
  return payloadOf(
    {
      id: webhookIdOf(delivery),
      event,
      timestamp: createdAt,
      trigger,
      organizationId,
      segment,
      pixel: { id: pixelId, domain: pixelDomain },
    },
    canonicalVisitorOf(row),
  )
}
