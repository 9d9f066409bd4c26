// What the collect path needs to know about a pixel. The pixels room creates and caches these values. A changed pixel
// is always a new value, never a changed array, because parsed networks and filters are cached per array.

/** The pixel settings that decide what is collected. */ // spec 2.4
export interface CollectSettings {
  readonly consent?: "auto" | "required" | "granted" | "denied" | null
  readonly respectDnt?: boolean | null
  readonly emailCapture?: "off" | "forms" | "all" | null
  readonly spa?: "auto" | "hash" | "off" | null
  /** Path prefixes that replace the words for pricing pages. */
  readonly pricingPaths?: ReadonlyArray<string> | null
  /** Path prefixes that replace the words for demo pages. */
  readonly demoPaths?: ReadonlyArray<string> | null
  /** Hosts, subdomains included, that change no attribution, besides those on the list that ships. */
  readonly ignoredReferrers?: ReadonlyArray<string> | null
}

/** A pixel that exists and is not deleted. */
export interface CollectPixel {
  readonly organizationId: string
  /** Whose share of the queue its events take (jobs/fair-turns.ts). */
  readonly party: string
  readonly id: string
  /** Normalized: lower case, without `www.`. */ // spec 1.5
  readonly domain: string
  /** False when the pixel is paused or its organization is not active. */
  readonly isActive: boolean
  readonly excludedPaths: ReadonlyArray<string> | null
  readonly includedPaths: ReadonlyArray<string> | null
  readonly settings: CollectSettings
  /** Networks in CIDR form, or single addresses, whose events are dropped. */
  readonly excludedIps: ReadonlyArray<string>
}
