// What the collect path needs to know of a pixel. The pixels room makes and caches these values; here
// they are only read. The arrays may be kept by identity: a changed pixel is a new value, never a
// changed array, because parsed networks and filters are remembered per array.

/** The part of a pixel's settings that decides what is collected. */ // spec 2.4
export interface CollectSettings {
  readonly consent?: "auto" | "required" | "granted" | "denied" | null
  readonly respectDnt?: boolean | null
  readonly emailCapture?: "off" | "forms" | "all" | null
  /** Path prefixes in place of the words for pricing pages. */
  readonly pricingPaths?: ReadonlyArray<string> | null
  /** Path prefixes in place of the words for demo pages. */
  readonly demoPaths?: ReadonlyArray<string> | null
}

/** A pixel that was found by its id and is not deleted. */
export interface CollectPixel {
  readonly organizationId: string
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
