// The way of one visitor through the sites, part of a look-up by email.
// Source: spec 2.1, Journey.

import type { Channel } from "./channel.ts"
import type { SessionSummary } from "./session-summary.ts"

/** First and last touch and the sessions, all inside the requested window and pixel scope. */
export interface Journey {
  readonly firstTouch: Touch | null
  readonly lastTouch: Touch | null
  /** Newest first, at most 50. */
  readonly sessions: ReadonlyArray<SessionSummary>
}

/** How a session began. */
export interface Touch {
  /** Start of the session. ISO 8601, UTC, milliseconds. */
  readonly at: string
  /** Path of the entry page. */
  readonly path: string | null
  readonly referrerDomain: string | null
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly utmTerm: string | null
  readonly utmContent: string | null
  readonly channel: Channel
}
