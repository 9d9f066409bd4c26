// The organization's state: credits, pixels and access to the intent API. spec 2.5 and 5.3
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { OrganizationStatus } from "./organizations.ts"

/** `footfall.account`. Needs an API key. */
export class Account {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the organization's status, credits, pixels and intent access. Also works while the organization is
   * suspended or expired.
   */
  get(options: RequestOptions = {}): ApiCall<AccountStatus> {
    return this.#transport.get("/v1/data/account", { credentials: "apiKey", options })
  }
}

/** State of an organization. */
export interface AccountStatus {
  /** True when active or on trial, with credits left. */
  readonly healthy: boolean
  /** The organization. */
  readonly organization: {
    /** Id of the organization. */
    readonly id: string
    /** Short name of the organization. */
    readonly slug: string
    /** Name of the organization. */
    readonly name: string
    /** Status of the organization. */
    readonly status: OrganizationStatus
  }
  /** Credits of this month. */
  readonly credits: Credits
  /** Pixels that have not been deleted. */
  readonly pixels: {
    /** Pixels that are not deleted. */
    readonly total: number
    /** Pixels that record visits. */
    readonly active: number
    /** Pixels that are paused. */
    readonly paused: number
  }
  /** What the organization may use of audiences. */
  readonly intent: IntentAccess
}

/**
 * Each newly identified person who is not suppressed costs one credit. Usage is counted by calendar month of the
 * organization's time zone.
 */
export interface Credits {
  /** Credits used this month. */
  readonly used: number
  /** Credits of a month; null if unlimited. */
  readonly limit: number | null
  /** Credits left this month; null if unlimited. */
  readonly remaining: number | null
  /** Start of the next month; null if unlimited. */
  readonly resetsAt: string | null
  /** Identified people who are waiting for a credit. They appear in no list. */
  readonly heldBack: number
}

/** What the organization can use of the intent API. */
export interface IntentAccess {
  /** Whether it may use audiences. */
  readonly enabled: boolean
  /** Slots for active audiences. Limit and remaining are null if unlimited. */
  readonly slots: {
    /** Slots in use. */
    readonly used: number
    /** Slots there are; null if unlimited. */
    readonly limit: number | null
    /** Slots left; null if unlimited. */
    readonly remaining: number | null
  }
  /** Whether it may create audiences that run once. */
  readonly oneShotEligible: boolean
  /** Date of the latest signals, YYYY-MM-DD; null if there are none. */
  readonly dataDate: string | null
}
