// What a pixel is made of, what can be changed, and what a verification says.
// Source: spec 2.3, 2.4 and 5.2.

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
  /** What the start page of the site says, the page itself first; empty when verified or paused. */
  readonly findings: ReadonlyArray<PixelFinding>
}

/** One thing that was found on a site. More codes may come. */
export interface PixelFinding {
  readonly code: PixelFindingCode
  /** A `problem` keeps events back; a `note` may explain what is seen. */
  readonly severity: "problem" | "note"
  /** A sentence for people. */
  readonly message: string
  /** What the code is about: addresses, ids, a directive, names. */
  readonly values: ReadonlyArray<string>
}

/**
 * `page_…` is about the page that was read, `tag_…` about the pixel's tag on it, `csp_…` about its
 * content security policy; `other_pixel`: `values` are the ids of other pixels' tags.
 */
export type PixelFindingCode =
  | "page_read"
  | "page_unreadable"
  | "page_of_other_host"
  | "page_excluded"
  | "tag_missing"
  | "tag_inert"
  | "tag_debug"
  | "tag_crossorigin_missing"
  | "tag_integrity_unpinned"
  | "other_pixel"
  | "csp_blocks_script"
  | "csp_blocks_connect"
  | "consent_denied"
  | "consent_required"
  | "consent_manager"

/** `domain_mismatch`: events came, but from other hosts only. */
export type PixelVerificationReason = "paused" | "domain_mismatch" | "script_missing" | "no_events"
