// What a pixel is made of, what can be changed, and what a verification says.
// Source: decisions.md 2.3, 2.4 and 5.2.

import type { Pixel, PixelSettings, PixelStatus } from "./pixel.ts"

/** A new pixel. */
export interface PixelCreateParams {
  /** Normalized by the server; one pixel per domain. */
  readonly domain: string
  /** 1 to 255 characters. Default: the domain. */
  readonly name?: string | undefined
  readonly settings?: PixelSettingsChanges | undefined
}

/** What changes; what is left out stays. */
export interface PixelUpdateParams {
  readonly name?: string | undefined
  readonly status?: PixelStatus | undefined
  /** Path prefixes, at most 50, each 2 to 500 characters from `/` on; null clears the list. */
  readonly excludedPaths?: ReadonlyArray<string> | null | undefined
  /** As `excludedPaths`. At most one of the two lists can be set. */
  readonly includedPaths?: ReadonlyArray<string> | null | undefined
  readonly settings?: PixelSettingsChanges | undefined
}

/** Merged key by key; null unsets a key. */
export type PixelSettingsChanges = {
  readonly [Key in keyof PixelSettings]?: PixelSettings[Key] | null | undefined
}

/** A pixel with what puts it on a page. */
export interface PixelWithCode extends Pixel {
  /** The `<script>` tag. */
  readonly code: string
  readonly embed: PixelEmbed
}

/** A form of the tag for pages that pin what they load. */
export interface PixelEmbed {
  readonly immutable: {
    /** Address of this very version of the script, cached for a year. */
    readonly url: string
    /** Its SRI value, `sha384-…`. */
    readonly integrity: string
    /** The `<script>` tag with both. */
    readonly code: string
  }
  /** What a content security policy has to allow. */
  readonly contentSecurityPolicy: { readonly scriptSrc: string; readonly connectSrc: string }
}

/** Whether events of the pixel's own domain arrive, and if not, why. */
export interface PixelVerification {
  readonly verified: boolean
  readonly verifiedAt: string | null
  readonly lastEventAt: string | null
  /** Null when verified; else the first that applies. */
  readonly reason: PixelVerificationReason | null
}

/** `domain_mismatch`: events came, but from other hosts only. */
export type PixelVerificationReason = "paused" | "domain_mismatch" | "script_missing" | "no_events"
