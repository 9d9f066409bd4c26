// Which contacts a delivery is about, and what each of them is to the destination (spec 2.16, 8.3).
import type { DeliveryMode } from "../delivery.ts"

/** As a letter of `delivery_batch.changes`. */
export const changeOf = { a: "added", u: "updated", n: "unchanged" } as const
export type ChangeLetter = keyof typeof changeOf
export type Change = (typeof changeOf)[ChangeLetter]

/** What is planned, by its ids. */
export interface PlanQuestion {
  readonly organizationId: string
  readonly deliveryId: string
  readonly destinationId: string
  readonly sourceRunId: string
  readonly baselineRunId: string | null
  readonly mode: DeliveryMode
  readonly retryOfDeliveryId: string | null
}
