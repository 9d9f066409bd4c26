// Pixels: each one is the script of one site. spec 2.3, 2.4 and 5.2

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import { path } from "../core/path.ts"
import type { SiteUnreadableReason } from "../errors/details.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"
import { SharedUserIds } from "./shared-user-ids.ts"
import { WriteKeys } from "./write-keys.ts"

/** `footfall.pixels`. Needs an API key. */
export class Pixels {
  readonly #transport: Transport
  /** The keys that send events to a pixel. */
  readonly writeKeys: WriteKeys

  /** User ids that strangers share. */
  readonly sharedUserIds: SharedUserIds

  constructor(transport: Transport) {
    this.#transport = transport
    this.sharedUserIds = new SharedUserIds(transport)
    this.writeKeys = new WriteKeys(transport)
  }

  /** Lists all pixels, newest first, on one page. */
  list(options: RequestOptions = {}): ApiCall<ReadonlyArray<Pixel>> {
    return this.#transport.get("/v1/data/pixels", { credentials: "apiKey", options })
  }

  /**
   * Creates a pixel. Put its `code`, a script tag, on your pages. Errors: BadRequestError, ConflictError
   * (`PIXEL_EXISTS`: see `pixelId`).
   */
  create(params: PixelCreateParams, options: CreateOptions = {}): ApiCall<PixelWithCode> {
    return this.#transport.create("/v1/data/pixels", {
      body: params,
      credentials: "apiKey",
      options,
    })
  }

  /** Gets a pixel with its tag. Errors: NotFoundError. */
  get(pixelId: string, options: RequestOptions = {}): ApiCall<PixelWithCode> {
    return this.#one("GET", pixelId, { options })
  }

  /** Updates the given fields. Errors: BadRequestError, NotFoundError. */
  update(pixelId: string, params: PixelUpdateParams, options: RequestOptions = {}): ApiCall<Pixel> {
    return this.#one("PATCH", pixelId, { body: params, options })
  }

  /** Deletes a pixel. It stops recording; existing data stays. Errors: NotFoundError. */
  delete(pixelId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#one("DELETE", pixelId, { options })
  }

  /** Checks whether events arrive. If none have, the server reads the site to find out why. Errors: NotFoundError. */
  verify(pixelId: string, options: RequestOptions = {}): ApiCall<PixelVerification> {
    return this.#transport.post(path`/v1/data/pixels/${pixelId}/verify`, {
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Reads up to 20 pages of the site and suggests topic rules. Stores nothing. Takes up to 30 seconds. Errors:
   * BadRequestError, NotFoundError, UnprocessableError (`SITE_UNREADABLE`).
   */
  suggestTopics(
    pixelId: string,
    params: TopicSuggestionParams = {},
    options: RequestOptions = {},
  ): ApiCall<TopicSuggestions> {
    return this.#transport.post(path`/v1/data/pixels/${pixelId}/suggest-topics`, {
      body: params,
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  #one<Data>(
    method: ApiRequest["method"],
    pixelId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): ApiCall<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/data/pixels/${pixelId}`,
      credentials: "apiKey",
      ...call,
    })
  }
}

export interface TopicSuggestionParams {
  /** The page to start with, on the pixel's domain. Default: the home page. */
  readonly url?: string | undefined
}

/** Suggested topic rules for a pixel. */
export interface TopicSuggestions {
  /** Best match first. Use `path` and `topicId` in a topic rule. */
  readonly rules: ReadonlyArray<SuggestedTopicRule>
  /** The pages that the server read. */
  readonly pages: ReadonlyArray<SuggestionPage>
}

export interface SuggestedTopicRule {
  readonly path: string
  readonly topicId: number
  readonly topicName: string
  /** The page that the rule is based on, and what it says about the topic. */
  readonly evidence: {
    readonly url: string
    readonly title: string | null
    readonly words: ReadonlyArray<string>
    /** 0 to 1. */
    readonly similarity: number
  }
}

export interface SuggestionPage {
  readonly url: string
  readonly title: string | null
  /** Why the page could not be read; null if it could. */
  readonly unreadable: SiteUnreadableReason | null
}

/** A pixel, as the list returns it. */
export interface Pixel {
  readonly id: string
  /** Normalized: lower case, without scheme, `www.` or path. */
  readonly domain: string
  readonly name: string
  readonly status: PixelStatus
  /** Null if active. */
  readonly pausedReason: PixelPausedReason | null
  /** Path prefixes that are not recorded. At most one of the two lists is set. */
  readonly excludedPaths: ReadonlyArray<string> | null
  /** The only path prefixes that are recorded. */
  readonly includedPaths: ReadonlyArray<string> | null
  readonly settings: PixelSettings
  /** Time of the first accepted event, as confirmed by a verification. */
  readonly verifiedAt: string | null
  /** Time of the last accepted event. */
  readonly lastEventAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A paused pixel records nothing. */
export type PixelStatus = "active" | "paused"

/** Why a pixel is paused: a user paused it, or the server paused it while the organization is not active. */
export type PixelPausedReason = "manual" | "organization_inactive"

/** How the script behaves. A setting that is not set is null and uses its default. */
export interface PixelSettings {
  /** Default `auto`. */
  readonly consent: "auto" | "required" | "granted" | "denied" | null
  /** How the script detects navigation without a page load. Default `auto`. */
  readonly spa: "auto" | "hash" | "off" | null
  /** Whether the script reads email addresses from forms. Default `off`. */
  readonly emailCapture: "off" | "forms" | "all" | null
  /** Default `first-party`. */
  readonly cookies: "first-party" | "none" | null
  /** The cookie's domain attribute. Default: none. */
  readonly cookieDomain: string | null
  /** Whether to treat Do Not Track like Global Privacy Control. Default false. */
  readonly respectDnt: boolean | null
  /** Path prefixes of pricing pages. Default: paths that contain a word for pricing. */
  readonly pricingPaths: ReadonlyArray<string> | null
  /** Path prefixes of demo pages. Default: paths that contain a word for a demo. */
  readonly demoPaths: ReadonlyArray<string> | null
  /** Hosts, with their subdomains, that only send people back, such as your sign-in. They change no attribution. At most 50. */
  readonly ignoredReferrers: ReadonlyArray<string> | null
  /** Page views that count as interest in a topic. At most 50 rules. */
  readonly topicRules: ReadonlyArray<TopicRule>
}

/** Each view of a page below `path` is a signal for the topic. */
export interface TopicRule {
  readonly path: string
  readonly topicId: number
}

/** A new pixel. */
export interface PixelCreateParams {
  /** The server normalizes it. One pixel per domain. */
  readonly domain: string
  /** 1 to 255 characters. Default: the domain. */
  readonly name?: string | undefined
  readonly settings?: PixelSettingsChanges | undefined
}

/** Fields to change. Omitted fields keep their values. */
export interface PixelUpdateParams {
  readonly name?: string | undefined
  readonly status?: PixelStatus | undefined
  /** Path prefixes, at most 50, each 2 to 500 characters and starting with `/`; null clears the list. */
  readonly excludedPaths?: ReadonlyArray<string> | null | undefined
  /** Like `excludedPaths`. At most one of the two lists can be set. */
  readonly includedPaths?: ReadonlyArray<string> | null | undefined
  readonly settings?: PixelSettingsChanges | undefined
}

/** Merged key by key. Null resets a key to its default. */
export type PixelSettingsChanges = {
  readonly [Key in keyof PixelSettings]?: PixelSettings[Key] | null | undefined
}

/** A pixel, with the script tag that installs it. */
export interface PixelWithCode extends Pixel {
  /** The `<script>` tag. */
  readonly code: string
  readonly embed: PixelEmbed
}

/** A script tag for pages that pin a version of the script. */
export interface PixelEmbed {
  readonly immutable: {
    /** URL of this exact version of the script, cached for a year. */
    readonly url: string
    /** The script's SRI value, `sha384-…`. */
    readonly integrity: string
    /** The `<script>` tag with this URL and integrity value. */
    readonly code: string
  }
  /** What your content security policy must allow. */
  readonly contentSecurityPolicy: { readonly scriptSrc: string; readonly connectSrc: string }
}

/** Whether events arrive from the pixel's own domain and, if not, why. */
export interface PixelVerification {
  readonly verified: boolean
  readonly verifiedAt: string | null
  readonly lastEventAt: string | null
  /** Null if verified; otherwise the first reason that applies. */
  readonly reason: PixelVerificationReason | null
  /** Findings on the site's home page, those about the page itself first. Empty if verified or paused. */
  readonly findings: ReadonlyArray<PixelFinding>
}

/** A finding on a site. More codes may be added. */
export interface PixelFinding {
  readonly code: PixelFindingCode
  /** A `problem` prevents events. A `note` may explain why there are none. */
  readonly severity: "problem" | "note"
  /** A sentence to show to users. */
  readonly message: string
  /** The URLs, ids, names or directive that the finding is about. */
  readonly values: ReadonlyArray<string>
}

/**
 * `page_…` is about the page, `tag_…` about the pixel's tag on it, and `csp_…` about its content security policy. For
 * `other_pixel`, `values` contains the ids of the other pixels.
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

/** `domain_mismatch`: events arrived, but only from other hosts. */
export type PixelVerificationReason = "paused" | "domain_mismatch" | "script_missing" | "no_events"
