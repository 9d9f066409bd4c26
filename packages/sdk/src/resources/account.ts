// The state of the organization: credits, pixels, and access to the intent API. spec 2.5 and 5.3

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
  /** Pixels that are not deleted. */
  readonly pixels: { readonly total: number; readonly active: number; readonly paused: number }
  readonly intent: IntentAccess
}

/** One credit for each newly identified person who is not suppressed, counted by calendar month (UTC). */
export interface Credits {
  /** Used this month. */
  readonly used: number
  /** Null: unlimited. */
  readonly limit: number | null
  /** Null: unlimited. */
  readonly remaining: number | null
  /** Start of the next month; null when unlimited. */
  readonly resetsAt: string | null
  /** People who are identified but wait for a credit. No list shows them. */
  readonly heldBack: number
}

/** What the organization may use of the intent API. */
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
