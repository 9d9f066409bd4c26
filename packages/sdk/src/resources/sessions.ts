// A visitor's sessions. Each session is one record of limited size with counts and paths. It has no
// individual events, page sequences, origins, queries or fragments. spec 2.1, 2.2, 5.1, 6.5 and 11

import type { ResponseMeta, Timeframe } from "../extensions/common.ts"

/** A visitor's session. It ends after 30 minutes without an event, and may cross midnight. */
export interface SessionSummary {
  /** 32 hexadecimal characters. */
  readonly sessionId: string
  /** Time of the first event. Sessions are ordered by it. */
  readonly startTime: string
  /** Time of the last event. */
  readonly endTime: string
  /** Active time if the pixel measured it, otherwise the time between the first and last event. */
  readonly durationSeconds: number
  /** Page views of the session. */
  readonly pageviews: number
  /** Distinct paths viewed. */
  readonly uniquePages: number
  /** Views of pricing pages. */
  readonly pricingPageViews: number
  /** Views of demo pages. */
  readonly demoPageViews: number
  /** Path of the first page, at most 512 characters. */
  readonly entryPage: string | null
  /** Path of the last page, at most 512 characters. */
  readonly exitPage: string | null
  /** How the visit began. */
  readonly channel: Channel
  /** Campaign parameter of the first page that had one. */
  readonly utmSource: string | null
  /** From the same page as `utmSource`. */
  readonly utmMedium: string | null
  /** From the same page as `utmSource`. */
  readonly utmCampaign: string | null
  /** Kinds of ad click ids in the session's URL; never the ids themselves. */
  readonly clickIdTypes: ReadonlyArray<ClickIdType>
  /** The pixel that saw the session. */
  readonly pixelId: string
  /** Kind of device, from the user agent. */
  readonly deviceType: DeviceType
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  /** Whether it is the person's first session. */
  readonly isFirstSession: boolean
  /** Whether the session had only one page view. */
  readonly isBounce: boolean
  /** Whether the visitor gave an email address in this session. */
  readonly converted: boolean
}

/** Types of ad click ids, by their name in the URL. */
export type ClickIdType = "gclid" | "gbraid" | "wbraid" | "fbclid" | "msclkid" | "li_fat_id"

/** Type of device, from the user agent. */
export type DeviceType = "desktop" | "mobile" | "tablet" | "bot" | "unknown"

/** Window, scope and position of a session list. */
export interface SessionListParams {
  /** Default `30d`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Id of a pixel. Default: all of the organization's pixels. */
  readonly pixelId?: string | undefined
  /** Sessions per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** `meta.nextCursor` of a previous page, with the same visitor, window and scope. */
  readonly cursor?: string | undefined
}

/** `meta` of one page of sessions. */
export interface SessionListMeta extends ResponseMeta {
  /** End of the window. The first page sets it for all pages. */
  readonly asOf: string
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque and signed. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** First touch, last touch and sessions within the requested window and pixel scope. */
export interface Journey {
  /** How the first session in the window and scope began. */
  readonly firstTouch: Touch | null
  /** How the last session in the window and scope began. */
  readonly lastTouch: Touch | null
  /** Newest first, at most 50. */
  readonly sessions: ReadonlyArray<SessionSummary>
}

/** How a session started. */
export interface Touch {
  /** Start of the session. ISO 8601, UTC, milliseconds. */
  readonly at: string
  /** Path of the entry page. */
  readonly path: string | null
  /** Host of the external referrer, without `www.`. */
  readonly referrerDomain: string | null
  /** Campaign parameters of the entry page. */
  readonly utmSource: string | null
  /** From the same page as `utmSource`. */
  readonly utmMedium: string | null
  /** From the same page as `utmSource`. */
  readonly utmCampaign: string | null
  /** From the same page as `utmSource`. */
  readonly utmTerm: string | null
  /** From the same page as `utmSource`. */
  readonly utmContent: string | null
  /** What the referrer and the campaign parameters say. */
  readonly channel: Channel
}

/** The server derives it from `utm_medium`, then the source, then click ids, then the referrer. */
export type Channel =
  | "direct"
  | "organic_search"
  | "paid_search"
  | "organic_social"
  | "paid_social"
  | "paid_video"
  | "email"
  | "referral"
  | "display"
  | "affiliate"
  | "ai_assistant"
  | "other"
