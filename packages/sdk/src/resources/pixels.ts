// Pixels: each one is the script of one site. spec 2.3, 2.4 and 5.2
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { SiteUnreadableReason } from "../errors/details.ts"
import type { Deleted } from "../extensions/common.ts"
import { WriteKeys } from "./write-keys.ts"
import { SharedUserIds } from "./shared-user-ids.ts"

/** `footfall.pixels`. Needs an API key. */
export class Pixels {
  readonly #transport: Transport
  /** The keys that send events to a pixel. */
  readonly writeKeys: WriteKeys
  /** User ids that strangers share. */
  readonly sharedUserIds: SharedUserIds

  constructor(transport: Transport) {
    this.#transport = transport
    this.writeKeys = new WriteKeys(transport)
    this.sharedUserIds = new SharedUserIds(transport)
  }

  /** Returns every pixel of the organization, newest first. The list is not paged. */
  list(options: RequestOptions = {}): ApiCall<ReadonlyArray<Pixel>> {
    return this.#transport.get("/v1/data/pixels", { credentials: "apiKey", options })
  }

  /**
   * Creates a pixel for one domain. Add the tag in `code` to every page of the site, or the tag in `embed` to pin the
   * script to its hash. A domain can have one pixel. A second one returns `PIXEL_EXISTS`. Errors: BadRequestError,
   * ConflictError (`PIXEL_EXISTS`: see `pixelId`).
   */
  create(params: PixelCreateParams, options: CreateOptions = {}): ApiCall<PixelWithCode> {
    return this.#transport.create("/v1/data/pixels", {
      body: params,
      credentials: "apiKey",
      options,
    })
  }

  /** Returns one pixel with the tag to add to the site. Errors: NotFoundError. */
  get(pixelId: string, options: RequestOptions = {}): ApiCall<PixelWithCode> {
    return this.#transport.get(path`/v1/data/pixels/${pixelId}`, { credentials: "apiKey", options })
  }

  /**
   * Updates the fields you send. Set `status` to `paused` to stop recording, and to `active` to resume. Errors:
   * BadRequestError, NotFoundError, ConflictError.
   */
  update(pixelId: string, params: PixelUpdateParams, options: RequestOptions = {}): ApiCall<Pixel> {
    return this.#transport.patch(path`/v1/data/pixels/${pixelId}`, {
      body: params,
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Deletes a pixel. Its script stops loading, but its data is kept. You can then create a new pixel for the domain.
   * Errors: NotFoundError.
   */
  delete(pixelId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/pixels/${pixelId}`, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Checks whether the pixel receives events from its own site. If it does not, the server reads the site's home
   * page. `reason` is what is wrong, and each finding includes a fix. Errors: NotFoundError.
   */
  verify(pixelId: string, options: RequestOptions = {}): ApiCall<PixelVerification> {
    return this.#transport.post(path`/v1/data/pixels/${pixelId}/verify`, {
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Reads up to 20 pages of the pixel's site and proposes topic rules, each with the page and the words it is based
   * on. Does not save anything: send the rules you want as `settings.topicRules` of the pixel. Errors:
   * BadRequestError, NotFoundError, UnprocessableError (`SITE_UNREADABLE`: see `reason`).
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
}

/** A pixel, as the list returns it. */
export interface Pixel {
  /** Id of the pixel. */
  readonly id: string
  /** Normalized: lower case, without scheme, `www.` or path. */
  readonly domain: string
  /** Name of the pixel. */
  readonly name: string
  /** Whether the pixel records visits. */
  readonly status: PixelStatus
  /** Why the pixel is paused; null if it is active. */
  readonly pausedReason: PixelPausedReason | null
  /** Path prefixes that are not recorded. At most one of the two lists is set. */
  readonly excludedPaths: ReadonlyArray<string> | null
  /** The only path prefixes that are recorded. */
  readonly includedPaths: ReadonlyArray<string> | null
  /** How the pixel works on the site. */
  readonly settings: PixelSettings
  /** Time of the first accepted event, as confirmed by a verification. */
  readonly verifiedAt: string | null
  /** Time of the last accepted event. */
  readonly lastEventAt: string | null
  /** When the pixel was created. */
  readonly createdAt: string
  /** When the pixel was last changed. */
  readonly updatedAt: string
}

/** A new pixel. */
export interface PixelCreateParams {
  /** Host name or URL of the site, at most 255 characters. Stored as the host without `www.`. */
  readonly domain: string
  /** 1 to 255 characters. Default: the domain. */
  readonly name?: string | undefined
  /** How the pixel behaves. Settings you leave out stay the same. */
  readonly settings?: PixelSettingsChanges | undefined
}

/** A pixel, with the script tag that installs it. */
export interface PixelWithCode extends Pixel {
  /** The tag for the site. */
  readonly code: string
  /** Snippets and headers for the site. */
  readonly embed: PixelEmbed
}

/** Fields to change. Omitted fields keep their values. */
export interface PixelUpdateParams {
  /** 1 to 255 characters. */
  readonly name?: string | undefined
  /** A paused pixel records nothing. */
  readonly status?: PixelStatus | undefined
  /** Path prefixes not to record, at most 50. Null clears the list. Cannot be combined with `includedPaths`. */
  readonly excludedPaths?: ReadonlyArray<string> | null | undefined
  /**
   * Path prefixes to record, at most 50. Nothing else is recorded. Null clears the list. Cannot be combined with
   * `excludedPaths`.
   */
  readonly includedPaths?: ReadonlyArray<string> | null | undefined
  /** How the pixel behaves. Settings you leave out stay the same. */
  readonly settings?: PixelSettingsChanges | undefined
}

/** Whether events arrive from the pixel's own domain and, if not, why. */
export interface PixelVerification {
  /** Whether the tag is on the site and the pixel works. */
  readonly verified: boolean
  /** Time of the first accepted event, as confirmed by a verification; null before that. */
  readonly verifiedAt: string | null
  /** When the pixel last sent an event; null before that. */
  readonly lastEventAt: string | null
  /** Why the pixel is not verified: the first reason that applies. Null if it is verified. */
  readonly reason: PixelVerificationReason | null
  /** Findings on the site's home page, those about the page itself first. Empty if verified or paused. */
  readonly findings: ReadonlyArray<PixelFinding>
}

/** Where to start reading a site. */
export interface TopicSuggestionParams {
  /** Page to start from, on the pixel's domain. Default: its home page. */
  readonly url?: string | undefined
}

/** Suggested topic rules for a pixel. */
export interface TopicSuggestions {
  /** Best match first. Use `path` and `topicId` in a topic rule. */
  readonly rules: ReadonlyArray<SuggestedTopicRule>
  /** The pages that the server read. */
  readonly pages: ReadonlyArray<SuggestionPage>
}

/** A paused pixel records nothing. */
export type PixelStatus = "active" | "paused"

/** Why a pixel is paused: a user paused it, or the server paused it while the organization is not active. */
export type PixelPausedReason = "manual" | "organization_inactive"

/** How the script behaves. A setting that is not set is null and uses its default. */
export interface PixelSettings {
  /** How the script learns of consent. Default `auto`. */
  readonly consent: "auto" | "required" | "granted" | "denied" | null
  /** How the script detects navigation without a page load. Default `auto`. */
  readonly spa: "auto" | "hash" | "off" | null
  /** Whether the script reads email addresses from forms. Default `off`. */
  readonly emailCapture: "off" | "forms" | "all" | null
  /** Whether the script keeps its id in a cookie. Default `first-party`. */
  readonly cookies: "first-party" | "none" | null
  /** The cookie's domain attribute. Default: none. */
  readonly cookieDomain: string | null
  /** Whether to treat Do Not Track like Global Privacy Control. Default false. */
  readonly respectDnt: boolean | null
  /** Path prefixes of pricing pages. Default: paths that contain a word for pricing. */
  readonly pricingPaths: ReadonlyArray<string> | null
  /** Path prefixes of demo pages. Default: paths that contain a word for a demo. */
  readonly demoPaths: ReadonlyArray<string> | null
  /**
   * Hosts, with their subdomains, that only send people back, such as your sign-in. They change no attribution. At
   * most 50.
   */
  readonly ignoredReferrers: ReadonlyArray<string> | null
  /** Page views that count as interest in a topic. At most 50 rules. */
  readonly topicRules: ReadonlyArray<TopicRule>
  /** Pages that matter on this site, besides pricing and demo pages. At most 50. */
  readonly keyPages: ReadonlyArray<{
    /** Path prefix of the pages. */
    readonly path: string
    /** What they are called. */
    readonly name: string
  }>
}

/** Merged key by key. Null resets a key to its default. */
export interface PixelSettingsChanges {
  /** How the pixel decides on consent. Default `auto`. Null resets it. */
  readonly consent?: "auto" | "required" | "granted" | "denied" | null | undefined
  /** How the pixel notices navigation inside a single-page app. Default `auto`. Null resets it. */
  readonly spa?: "auto" | "hash" | "off" | null | undefined
  /** Which forms the pixel reads email addresses from. Default `off`. Null resets it. */
  readonly emailCapture?: "off" | "forms" | "all" | null | undefined
  /** Whether the pixel sets a first-party cookie. Default `first-party`. Null resets it. */
  readonly cookies?: "first-party" | "none" | null | undefined
  /** Domain of the cookie. Default: the domain of the page. Null resets it. */
  readonly cookieDomain?: string | null | undefined
  /** Whether to treat Do Not Track like Global Privacy Control. Default `false`. Null resets it. */
  readonly respectDnt?: boolean | null | undefined
  /** Path prefixes of pricing pages, at most 50. Null resets it. */
  readonly pricingPaths?: ReadonlyArray<string> | null | undefined
  /** Path prefixes of demo pages, at most 50. Null resets it. */
  readonly demoPaths?: ReadonlyArray<string> | null | undefined
  /** Hosts, with their subdomains, that only send people back, at most 50. They change no attribution. Null resets it. */
  readonly ignoredReferrers?: ReadonlyArray<string> | null | undefined
  /** Which pages are about which topic, at most 50. Null resets it. */
  readonly topicRules?:
    | ReadonlyArray<{
        /** Path prefix, 2 to 500 characters, starting with `/`. */
        readonly path: string
        /** Id of the topic of these pages. */
        readonly topicId: number
      }>
    | null
    | undefined
  /** Pages that matter on this site besides pricing and demo pages, with a name each, at most 50. Null resets it. */
  readonly keyPages?:
    | ReadonlyArray<{
        /** Path prefix, 2 to 500 characters, starting with `/`. */
        readonly path: string
        /** 1 to 80 characters. */
        readonly name: string
      }>
    | null
    | undefined
}

/** A script tag for pages that pin a version of the script. */
export interface PixelEmbed {
  /** The script under an address that never changes, with its hash. */
  readonly immutable: {
    /** URL of this exact version of the script, cached for a year. */
    readonly url: string
    /** The script's SRI value, `sha384-…`. */
    readonly integrity: string
    /** The tag with this URL and integrity value. */
    readonly code: string
  }
  /** What your content security policy must allow. */
  readonly contentSecurityPolicy: {
    /** Add this to `script-src`. */
    readonly scriptSrc: string
    /** Add this to `connect-src`. */
    readonly connectSrc: string
  }
}

/** `domain_mismatch`: events arrived, but only from other hosts. */
export type PixelVerificationReason = "paused" | "domain_mismatch" | "script_missing" | "no_events"

/** A finding on a site. More codes may be added. */
export interface PixelFinding {
  /** A fixed code of the finding. */
  readonly code: PixelFindingCode
  /** A `problem` prevents events. A `note` may explain why there are none. */
  readonly severity: "problem" | "note"
  /** A sentence to show to users. */
  readonly message: string
  /** The URLs, ids, names or directive that the finding is about. */
  readonly values: ReadonlyArray<string>
}

/** A suggested topic rule, and the page that it is based on. */
export interface SuggestedTopicRule {
  /** Path that the rule matches. */
  readonly path: string
  /** Id of the topic. */
  readonly topicId: number
  /** Name of the topic. */
  readonly topicName: string
  /** The page that the rule is based on, and what it says about the topic. */
  readonly evidence: {
    /** Address of the page. */
    readonly url: string
    /** Title of the page; null if it has none. */
    readonly title: string | null
    /** Words of the page that fit the topic. */
    readonly words: ReadonlyArray<string>
    /** How well the page fits the topic, from 0 to 1. */
    readonly similarity: number
  }
}

/** A page that the server read for suggestions. */
export interface SuggestionPage {
  /** Address of the page. */
  readonly url: string
  /** Title of the page; null if it has none. */
  readonly title: string | null
  /** Why the page could not be read; null if it was. */
  readonly unreadable: SiteUnreadableReason | null
}

/** Each view of a page below `path` is a signal for the topic. */
export interface TopicRule {
  /** Path that the rule matches. */
  readonly path: string
  /** Id of the topic. */
  readonly topicId: number
}

/**
 * `page_…` is about the page, `tag_…` about the pixel's tag on it, and `csp_…` about its content security policy.
 * For `other_pixel`, `values` contains the ids of the other pixels.
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
