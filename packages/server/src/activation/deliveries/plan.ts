// Which contacts a delivery covers, and how each one changed for the destination (spec 2.16, 8.3).
import type { ResultDbRow } from "../../intent/runs/results/result-row.ts"
import type { SqlText } from "../../platform/database/sql-text.ts"
import type { OnLeave } from "../destinations/connectors/automation-config.ts"
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

/** What a delivery compares people with, and what happens to those who left. */
export interface Holding {
  /** SQL of the content hash of a result row. */
  readonly hash: SqlText
  /** The list that people are put on; null for a webhook. */
  readonly listId: string | null
  /** `tell`: a webhook gets an event. */
  readonly leaving: OnLeave | "tell"
}

/** Someone whom a delivery asks its receiver about. */
export interface Asked {
  /** Position in the batch, or among the removals, from 1. */
  readonly place: number
  /** Attempts recorded earlier. */
  readonly attempts: number
}

export interface KnownAtProvider {
  readonly remoteId: string | null
  /** Their status when the destination removed them; null if it didn't. */
  readonly formerStatus: string | null
}

/** A contact of a batch, as planned and as it is now. */
export interface PlannedContact extends Asked {
  /** Position in the delivery, from 1. */
  readonly sequence: number
  readonly change: Change
  /** Undefined if erased since planning. */
  readonly row: ResultDbRow | undefined
  /** By the rules in force when the batch was read. */
  readonly isSuppressed: boolean
  /** What earlier deliveries learned about them at the service. Read for lists only. */
  readonly known?: KnownAtProvider | undefined
}

/** Someone who left the audience, whom the destination still holds. */
export interface PlannedRemoval extends Asked {
  /** SHA-256 in lower-case hex. */
  readonly hashedEmail: string
  readonly reason: "left" | "suppressed"
  /** The id by which the organization's own systems know them. Read for webhooks only. */
  readonly externalKey: string | null
  /** The address that the service has; null for a webhook. */
  readonly email: string | null
  readonly remoteId: string | null
  /** Their status, noted by an earlier request whose answer was not stored. */
  readonly notedStatus: string | null
}

export type PresentContact = PlannedContact & { readonly row: ResultDbRow }
