// The organization's state: credits, pixels and access to the intent API. spec 2.5 and 5.3

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

  /** Gets the current state, even while the organization is suspended or expired. */
  get(options: RequestOptions = {}): ApiCall<AccountStatus> {
    return this.#transport.get("/v1/data/account", { credentials: "apiKey", options })
  }
}

/** State of an organization. */
export interface AccountStatus {
  /** True when active or on trial, with credits left. */
  readonly healthy: boolean
  readonly organization: {
    readonly id: string
    readonly slug: string
    readonly name: string
    readonly status: OrganizationStatus
  }
  readonly credits: Credits
  /** Pixels that have not been deleted. */
  readonly pixels: { readonly total: number; readonly active: number; readonly paused: number }
  readonly intent: IntentAccess
}

/** Each newly identified person who is not suppressed costs one credit. Usage is counted by calendar month of the
 * organization's time zone. */
export interface Credits {
  /** Credits used this month. */
  readonly used: number
  /** Null if unlimited. */
  readonly limit: number | null
  /** Null if unlimited. */
  readonly remaining: number | null
  /** Start of the next month; null if unlimited. */
  readonly resetsAt: string | null
  /** Identified people who are waiting for a credit. They appear in no list. */
  readonly heldBack: number
}

/** What the organization can use of the intent API. */
export interface IntentAccess {
  readonly enabled: boolean
  /** Slots for active audiences. Limit and remaining are null if unlimited. */
  readonly slots: {
    readonly used: number
    readonly limit: number | null
    readonly remaining: number | null
  }
  readonly oneShotEligible: boolean
  /** Date of the latest signals, YYYY-MM-DD; null if there are none. */
  readonly dataDate: string | null
}
