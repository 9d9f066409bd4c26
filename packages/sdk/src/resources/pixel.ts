// A pixel: the script of one site. Source: spec 2.3 and 2.4.

/** A pixel as the list returns it. */
export interface Pixel {
  readonly id: string
  /** Normalized: lower case, without scheme, `www.` and path. */
  readonly domain: string
  readonly name: string
  readonly status: PixelStatus
  /** Null when active. */
  readonly pausedReason: PixelPausedReason | null
  /** Path prefixes that are not recorded. At most one of the two lists is set. */
  readonly excludedPaths: ReadonlyArray<string> | null
  /** Path prefixes outside of which nothing is recorded. */
  readonly includedPaths: ReadonlyArray<string> | null
  readonly settings: PixelSettings
  /** First accepted event that was confirmed by a verification. */
  readonly verifiedAt: string | null
  /** Last accepted event. */
  readonly lastEventAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A paused pixel records nothing. */
export type PixelStatus = "active" | "paused"

/** Why a pixel is paused: by a request, or by the server while the organization is not active. */
export type PixelPausedReason = "manual" | "organization_inactive"

/** How the script behaves. A key that is not set reads as null and takes its default. */
export interface PixelSettings {
  /** Default `auto`. */
  readonly consent: "auto" | "required" | "granted" | "denied" | null
  /** How navigation inside the page is noticed. Default `auto`. */
  readonly spa: "auto" | "hash" | "off" | null
  /** Whether addresses are read from forms. Default `off`. */
  readonly emailCapture: "off" | "forms" | "all" | null
  /** Default `first-party`. */
  readonly cookies: "first-party" | "none" | null
  /** Domain attribute of the cookie. Default: none. */
  readonly cookieDomain: string | null
  /** Treat Do Not Track like Global Privacy Control. Default false. */
  readonly respectDnt: boolean | null
  /** Path prefixes of pricing pages, in place of the default words. */
  readonly pricingPaths: ReadonlyArray<string> | null
  /** Path prefixes of demo pages, in place of the default words. */
  readonly demoPaths: ReadonlyArray<string> | null
  /** Page views that count as interest in a topic. At most 50. */
  readonly topicRules: ReadonlyArray<TopicRule>
}

/** A view of a page below `path` is a signal for the topic. */
export interface TopicRule {
  readonly path: string
  readonly topicId: number
}
