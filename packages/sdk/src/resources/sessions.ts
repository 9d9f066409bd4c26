// Sessions of a visitor: one bounded record per session, with counts and paths, and without single events, page
// sequences, origins, queries or fragments. spec 2.1, 2.2, 5.1, 6.5 and 11

import type { ResponseMeta, Timeframe } from "./common.ts"

/** A session of a visitor. It ends after 30 minutes without an event and may cross midnight. */
export interface SessionSummary {
  /** 32 hexadecimal characters. */
  readonly sessionId: string
  /** First event, and the key sessions are ordered by. */
  readonly startTime: string
  /** Last event. */
  readonly endTime: string
  /** Active time where the pixel measured it, else the time between first and last event. */
  readonly durationSeconds: number
  readonly pageviews: number
  /** Distinct paths among the page views. */
  readonly uniquePages: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  /** Path of the first page, at most 512 characters. */
  readonly entryPage: string | null
  /** Path of the last page, at most 512 characters. */
  readonly exitPage: string | null
  readonly channel: Channel
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  /** Kinds of ad click ids in the session's URL; never the ids themselves. */
  readonly clickIdTypes: ReadonlyArray<ClickIdType>
  readonly pixelId: string
  readonly deviceType: DeviceType
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  /** True for the first session of the person. */
  readonly isFirstSession: boolean
  /** True for a session of one page view. */
  readonly isBounce: boolean
  /** True when the visitor gave an address in this session. */
  readonly converted: boolean
}

/** Ad click ids of a session, by their name in the URL. */
export type ClickIdType = "gclid" | "gbraid" | "wbraid" | "fbclid" | "msclkid" | "li_fat_id"

/** Kind of device, from the user agent. */
export type DeviceType = "desktop" | "mobile" | "tablet" | "bot" | "unknown"

/** Window, scope and position of a session list. */
export interface SessionListParams {
  /** Default `30d`. */
  readonly timeframe?: Timeframe | undefined
  /** Id of one pixel. Default: all of the organization's. */
  readonly pixelId?: string | undefined
  /** Sessions per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** `meta.nextCursor` of an earlier page, with the same visitor, window and scope. */
  readonly cursor?: string | undefined
}

/** Position of one page of sessions. */
export interface SessionListMeta extends ResponseMeta {
  /** End of the window; the first page sets it for all pages. */
  readonly asOf: string
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque, signed, valid for 24 hours; null on the last page. */
  readonly nextCursor: string | null
}

/** First and last touch and the sessions, all within the requested window and pixel scope. */
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

/** Derived by the server from click ids, then `utm_medium`, then the referrer. */
export type Channel =
  | "direct"
  | "organic_search"
  | "paid_search"
  | "organic_social"
  | "paid_social"
  | "email"
  | "referral"
  | "display"
  | "affiliate"
  | "ai_assistant"
  | "other"
