// The events of a session as both databases return them (spec 5.1.10).
import type { EventPayload } from "../../collect/visits/collected-event.ts"

/** A session, and since when its events were received. */
export interface SessionSpan {
  readonly organizationId: string
  readonly sessionId: string
  /** `YYYY-MM-DD`. */
  readonly receivedFrom: string
}

/** The last event of a page. */
export interface EventPosition {
  /** ISO 8601. */
  readonly at: string
  readonly id: string
}

/** A page view or a custom event. */
export interface ListedEvent extends EventPosition {
  readonly type: "page" | "track"
  /** Null for an event without a page. */
  readonly url: string | null
  readonly payload: EventPayload
}

/** A page view or a heartbeat. */
export interface Moment {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly url: string
  /** Of a heartbeat; null for a page view. */
  readonly seconds: number | null
}
