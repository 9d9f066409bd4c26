// A contact of a batch, as it was planned and as it is now.
import type { ResultDbRow } from "../../runs/results/result-row.ts"
import type { Change } from "../planning/plan.ts"

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
