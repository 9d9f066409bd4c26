// Which contacts a delivery is about, and what each of them is to the destination (spec 2.16, 8.3).
import type { ResultDbRow } from "../runs/results/result-row.ts"
import type { DeliveryMode } from "./delivery.ts"

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

/** A contact of a batch, as it was planned and as it is now. */
export interface PlannedContact {
  /** In the batch, from 1. */
  readonly place: number
  /** In the delivery, from 1. */
  readonly sequence: number
  readonly change: Change
  /** Attempts that were recorded before. */
  readonly attempts: number
  /** Undefined: erased since it was planned. */
  readonly row: ResultDbRow | undefined
  /** By the rules in force when the batch was read. */
  readonly isSuppressed: boolean
}

export type PresentContact = PlannedContact & { readonly row: ResultDbRow }
