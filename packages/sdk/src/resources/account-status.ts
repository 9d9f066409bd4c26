// What an organization has, has used and may use. Source: spec 2.5.

import type { OrganizationStatus } from "./organization.ts"

/** The state of an organization. */
export interface AccountStatus {
  /** Active or on trial, and not out of credits. */
  readonly healthy: boolean
  readonly organization: {
    readonly id: string
    readonly slug: string
    readonly name: string
    readonly status: OrganizationStatus
  }
  readonly credits: Credits
  /** Pixels that are not deleted. */
  readonly pixels: { readonly total: number; readonly active: number; readonly paused: number }
  readonly intent: IntentAccess
}

/** One credit for each newly identified person who is not suppressed, counted by calendar month (UTC). */
export interface Credits {
  /** In the present month. */
  readonly used: number
  /** Null: unlimited. */
  readonly limit: number | null
  /** Null: unlimited. */
  readonly remaining: number | null
  /** Start of the next month; null when unlimited. */
  readonly resetsAt: string | null
  /** People who were identified but wait for a credit; they are listed nowhere. */
  readonly heldBack: number
}

/** What of the intent API the organization may use. */
export interface IntentAccess {
  readonly enabled: boolean
  /** Of active audiences. Limit and remaining are null when unlimited. */
  readonly slots: {
    readonly used: number
    readonly limit: number | null
    readonly remaining: number | null
  }
  readonly oneShotEligible: boolean
  /** Date of the newest signals, YYYY-MM-DD; null without any. */
  readonly dataDate: string | null
}
