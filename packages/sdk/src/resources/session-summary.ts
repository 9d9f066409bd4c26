// One bounded record per session: counts and paths, never events, page sequences, origins,
// queries or fragments. Source: spec 2.2.

import type { Channel } from "./channel.ts"

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
  /** Kinds of ad click ids the session came with; never the ids themselves. */
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

/** Names of the ad click ids a session can carry, as they stand in the URL. */
export type ClickIdType = "gclid" | "gbraid" | "wbraid" | "fbclid" | "msclkid" | "li_fat_id"

/** Kind of device, from the user agent. */
export type DeviceType = "desktop" | "mobile" | "tablet" | "bot" | "unknown"
