// The sessions of a visitor, and what they did in one. A session is one record of limited size, without individual events. spec 2.2 and 5.1
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Timeframe, ResponseMeta } from "../extensions/common.ts"

/** `footfall.visitors.sessions`. Accepts an API key or an access token. A viewer's token can only read. */
export class VisitorSessions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the sessions of one visitor, newest first. The first page sets `asOf`, and later pages use the same
   * value, so the list does not shift while you page through it. `visitorId` is the SHA-256 of any of their email
   * addresses, for example `emailHash`. Guarantee: all pages end at the same time (`meta.asOf`), so new sessions
   * cause no repeats or gaps. Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError (the visitor or `pixelId` is
   * unknown).
   */
  list(
    visitorId: string,
    params: SessionListParams = {},
    options: RequestOptions = {},
  ): PagedList<SessionSummary, SessionListMeta> {
    return this.#transport.list(path`/v1/data/visitors/${visitorId}/sessions`, params, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Returns what a visitor did in one session: the page views and custom events, oldest first, with how long each
   * page was visible. `visitorId` is the SHA-256 of any of their email addresses. `await` it for one page; loop over
   * it (`for await`) for every row. It sends nothing before that. Errors: BadRequestError (`INVALID_CURSOR`),
   * NotFoundError (the visitor is unknown, suppressed or held back, or has no such session), UnprocessableError
   * (`QUERY_TOO_SLOW`).
   */
  events(
    visitorId: string,
    sessionId: string,
    params: SessionEventListParams = {},
    options: RequestOptions = {},
  ): PagedList<SessionEvent, SessionEventListMeta> {
    return this.#transport.list(
      path`/v1/data/visitors/${visitorId}/sessions/${sessionId}/events`,
      params,
      { credentials: "either", options },
    )
  }
}

/** Window, scope and position of a session list. */
export interface SessionListParams {
  /** Only sessions in this period. Default `30d`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included, such as `2026-02-28`. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Only sessions this pixel recorded. */
  readonly pixelId?: string | undefined
  /** Page size, 1 to 100. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}

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

/** `meta` of one page of sessions. */
export interface SessionListMeta extends ResponseMeta {
  /** The time that every page of this cursor shows. */
  readonly asOf: string
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** Page size and position of a list of events. */
export interface SessionEventListParams {
  /** Page size, 1 to 500. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}

/** A page view or a custom event of a session. */
export interface SessionEvent {
  /** UUID. */
  readonly id: string
  /** `page`: a page view. `custom`: an event sent with `track()`. */
  readonly type: SessionEventType
  /** When it happened. ISO 8601, UTC, milliseconds. */
  readonly at: string
  /** Path of the page, at most 512 characters, without the query; null if the event named no page. */
  readonly path: string | null
  /** The page's name, if it is a key page: `pricing`, `demo`, or one of the site's settings. */
  readonly keyPage: string | null
  /** Title of the page; null for a custom event. */
  readonly title: string | null
  /** Name of a custom event; null for a page view. */
  readonly name: string | null
  /** What `track()` was given with a custom event; null for a page view. */
  readonly props: Readonly<Record<string, string | number | boolean>> | null
  /**
   * How long the page was visible, in seconds: what the pixel measured in steps of 30 seconds, or the time until the
   * next page view if that came sooner. Null if neither is known, and for a custom event.
   */
  readonly secondsVisible: number | null
  /** Host of the external referrer of a page view, without `www.`. */
  readonly referrerDomain: string | null
  /** Campaign parameters of the page's URL. */
  readonly utmSource: string | null
  /** From the same page as `utmSource`. */
  readonly utmMedium: string | null
  /** From the same page as `utmSource`. */
  readonly utmCampaign: string | null
  /** From the same page as `utmSource`. */
  readonly utmTerm: string | null
  /** From the same page as `utmSource`. */
  readonly utmContent: string | null
}

/** `meta` of one page of events. */
export interface SessionEventListMeta extends ResponseMeta {
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
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

/** Types of ad click ids, by their name in the URL. */
export type ClickIdType = "gclid" | "gbraid" | "wbraid" | "fbclid" | "msclkid" | "li_fat_id"

/** Type of device, from the user agent. */
export type DeviceType = "desktop" | "mobile" | "tablet" | "bot" | "unknown"

/** A page view, or an event sent with `track()`. */
export type SessionEventType = "page" | "custom"
