// Which contacts a delivery covers, and how each one changed for the destination (spec 2.16, 8.3).
import type { ResultDbRow } from "../../intent/runs/results/result-row.ts"
import type { DeliveryMode } from "./delivery.ts"

/** The letters in `delivery_batch.changes`. */
export const changeOf = { a: "added", u: "updated", n: "unchanged" } as const
export type ChangeLetter = keyof typeof changeOf
export type Change = (typeof changeOf)[ChangeLetter]

/** The ids that the plan depends on. */
export interface PlanQuestion {
  readonly organizationId: string
  readonly deliveryId: string
  readonly destinationId: string
  readonly sourceRunId: string
  readonly baselineRunId: string | null
  readonly mode: DeliveryMode
  readonly retryOfDeliveryId: string | null
}

export interface KnownAtProvider {
  readonly remoteId: string | null
  /** Their status when the destination removed them; null if it didn't. */
  readonly formerStatus: string | null
}

/** A contact of a batch, as planned and as it is now. */
export interface PlannedContact {
  /** Position in the batch, from 1. */
  readonly place: number
  /** Position in the delivery, from 1. */
  readonly sequence: number
  readonly change: Change
  /** Attempts recorded earlier. */
  readonly attempts: number
  /** Undefined if erased since planning. */
  readonly row: ResultDbRow | undefined
  /** By the rules in force when the batch was read. */
  readonly isSuppressed: boolean
  /** What earlier deliveries learned about them at the service. Read for lists only. */
  readonly known?: KnownAtProvider | undefined
}

export type PresentContact = PlannedContact & { readonly row: ResultDbRow }
