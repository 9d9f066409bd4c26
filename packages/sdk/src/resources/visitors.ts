// Identified visitors. A visitor is one person with all known addresses. Where nothing is known, lists are empty and
// other fields null; no documented field is ever absent. spec 1.6, 2.1 and 5.1

import type { ApiCall } from "../core/api-call.ts"
import { atCursor, PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ResponseMeta, Timeframe } from "./common.ts"
import type { RuleAst } from "./rules.ts"
import type { Journey, SessionListMeta, SessionListParams, SessionSummary } from "./sessions.ts"

/** `footfall.visitors`. Needs an API key. */
export class Visitors {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the visitors of a window and scope, newest activity first, 50 per page.
   * `await` it for one page; loop over it (`for await`) for every visitor. Nothing is sent until then.
   * Guarantee: every page of a walk covers the window of its first request, so no visitor is returned
   * twice unless they are seen again while you read.
   * Errors: BadRequestError (`INVALID_CURSOR` for an expired or foreign cursor), NotFoundError
   * (unknown `pixelId`).
   */
  list(
    params: VisitorListParams = {},
    options: RequestOptions = {},
  ): PagedList<Visitor, VisitorListMeta> {
    return this.#transport.list<Visitor, VisitorListMeta>("/v1/data", params, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Gets a visitor and their journey, by any of their addresses or its SHA-256 (`emailHash`).
   * Errors: TypeError (empty address, before anything is sent), NotFoundError (never identified,
   * held back, erased, or outside window, scope and filter).
   */
  get(params: VisitorGetParams, options: RequestOptions = {}): ApiCall<VisitorWithJourney> {
    return this.#transport.requestData(() => {
      // Without an address the same route answers with a list.
      if (params.email.trim() === "") throw new TypeError("email must not be empty")
      const query = { ...params }
      return { method: "GET", path: "/v1/data", query, credentials: "apiKey", options }
    })
  }

  /**
   * Lists the visitors that a rule or a saved segment matches, newest activity first. It uses stored
   * data and no credits. `await` it for one page; loop over it for every visitor.
   * Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`; `INVALID_CURSOR`), NotFoundError
   * (unknown `segmentId` or `pixelId`).
   */
  query(
    params: VisitorQueryParams,
    options: RequestOptions = {},
  ): PagedList<Visitor, VisitorQueryMeta> {
    return new PagedList<Visitor, VisitorQueryMeta>((cursor) =>
      this.#transport.request({
        method: "POST",
        path: "/v1/data/query",
        body: atCursor(params, cursor),
        isRepeatable: true,
        credentials: "apiKey",
        options,
      }),
    )
  }

  /**
   * Lists the sessions of a visitor, newest first. `visitorId` is the SHA-256 of any of their addresses,
   * for example `emailHash`.
   * Guarantee: every page covers the time of the first one (`meta.asOf`), so new sessions
   * neither repeat nor skip anything.
   * Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError (unknown visitor or `pixelId`).
   */
  sessions(
    visitorId: string,
    params: SessionListParams = {},
    options: RequestOptions = {},
  ): PagedList<SessionSummary, SessionListMeta> {
    return this.#transport.list<SessionSummary, SessionListMeta>(
      path`/v1/data/visitors/${visitorId}/sessions`,
      params,
      { credentials: "apiKey", options },
    )
  }

  /**
   * Gets how each address of a visitor was learned, and where each profile value comes from. `visitorId` is the SHA-256
   * of any of their addresses. Errors: NotFoundError.
   */
  origins(visitorId: string, options: RequestOptions = {}): ApiCall<VisitorOrigins> {
    return this.#transport.get(path`/v1/data/visitors/${visitorId}/origins`, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Erases a person permanently: profile, addresses, sessions and events. What stays is a keyed hash of
   * each address, so that a new visit does not bring the person back. With `suppress` the addresses
   * become suppression rules too.
   * Errors: NotFoundError, also when a retry finds that the first attempt succeeded.
   */
  erase(
    visitorId: string,
    params: VisitorEraseParams = {},
    options: RequestOptions = {},
  ): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/visitors/${visitorId}`, {
      query: { suppress: params.suppress },
      credentials: "apiKey",
      options,
    })
  }
}

/** Options of an erasure. */
export interface VisitorEraseParams {
  /** Whether every known address becomes an `email` suppression rule. Default false. */
  readonly suppress?: boolean | undefined
}

/** A visitor: the canonical fields and their legacy aliases. */
export interface Visitor extends LegacyVisitorFields {
  /** Primary address; null only for a person known by hash alone. */
  readonly email: string | null
  /** SHA-256 of the normalized primary address, 64 lower-case hexadecimal characters. */
  readonly emailHash: string
  readonly emailHashes: EmailHashes
  /** Every known address, the primary one first. */
  readonly emails: ReadonlyArray<string>
  readonly businessEmails: ReadonlyArray<string>
  readonly personalEmails: ReadonlyArray<string>
  /** E.164. */
  readonly phones: ReadonlyArray<string>
  /** True: at least one phone is on a do-not-call list. False: none is. Null: not known. */
  readonly phonesDnc: boolean | null
  /** Attributes from the script URL, merged over the events in scope; the last value wins. */
  readonly customAttribution: Readonly<Record<string, string>>

  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  readonly linkedinUrl: string | null

  readonly companyName: string | null
  /** Normalized: lower case, without scheme, `www.` and path. */
  readonly companyDomain: string | null
  readonly companyLinkedinUrl: string | null
  readonly companyEmployeeCount: number | null
  /** A `CompanyRevenueRange`, for example `50 million to 100 million`. */
  readonly companyTotalRevenue: string | null
  /** Lower-case label as in the enrichment data. */
  readonly industry: string | null
  readonly companyZipCode: string | null

  readonly jobTitle: string | null
  /** A `Seniority`, for example `vp`. */
  readonly seniority: string | null
  /** A `Department`, for example `operations`. */
  readonly department: string | null
  readonly city: string | null
  /** Two-letter postal code in the US, region text elsewhere. */
  readonly state: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null

  /** Counted within the requested window and pixel scope, like the three counts below. */
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  /** Time of the first event in the pixel scope, over the whole history. */
  readonly firstSeenAt: string
  /** Time of the last event in the pixel scope, over the whole history. */
  readonly lastSeenAt: string

  /** First page of the earliest session in window and scope, without query and fragment. */
  readonly landingPage: string | null
  /** Distinct pages in window and scope, most recent first, at most 100. */
  readonly visitedPages: ReadonlyArray<string>
  /** Origin and path of the first external referrer. */
  readonly referrer: string | null
  /** Host of `referrer`, without `www.`. */
  readonly referrerDomain: string | null

  /** From the last touch that was not direct, like the four below. At most 255 characters. */
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly utmTerm: string | null
  readonly utmContent: string | null

  /** Last value in window and scope, not older than 90 days, like the five below. */
  readonly gclid: string | null
  readonly fbclid: string | null
  readonly bingClickId: string | null
  readonly linkedinClickId: string | null
  readonly googleGbraid: string | null
  readonly googleWbraid: string | null

  /** True while a suppression rule matches the visitor. */
  readonly suppressed: boolean
}

/** Where a value comes from. `email_domain`: the company domain of a business address. */
export type Origin =
  | "visit"
  | "import"
  | "shared_import"
  | "identity_link"
  | "resolver"
  | "email_domain"

export interface AddressOrigin {
  readonly emailHash: string
  /** Null while only the hash is known. */
  readonly email: string | null
  readonly origin: Origin
  /** Null unless the event that named the address first is still kept. */
  readonly way: "identify" | "form" | "mail_link" | null
  readonly pixelId: string | null
  /** When a visit named it first; null when none did. */
  readonly firstSeenAt: string | null
}

export interface ValueOrigin {
  /** The name of the field, for example `jobTitle`. */
  readonly field: string
  readonly origin: Origin
}

/** Where what is known of a visitor comes from. */
export interface VisitorOrigins {
  readonly addresses: ReadonlyArray<AddressOrigin>
  /** Of every profile value that is known. */
  readonly values: ReadonlyArray<ValueOrigin>
}

/** A visitor with their journey. */
export interface VisitorWithJourney extends Visitor {
  readonly journey: Journey
}

/** Hashes of the normalized primary address, in lower-case hexadecimal. */
export interface EmailHashes {
  /** The same value as `emailHash`. */
  readonly sha256: string
  /** Null only for a person known by hash alone. */
  readonly sha1: string | null
  /** Null only for a person known by hash alone. */
  readonly md5: string | null
}

/** Older names of the same values. They stay for all of /v1; new code uses the canonical name. */
export interface LegacyVisitorFields {
  /** @deprecated Use `emails`. */
  readonly allEmails: ReadonlyArray<string>
  /** @deprecated Use the first of `phones`. */
  readonly primaryPhone: string | null
  /** @deprecated Use `phones`. */
  readonly allPhones: ReadonlyArray<string>
  /** @deprecated Use `phonesDnc`. One value for each of `phones`, or null when not known. */
  readonly phonesDNC: ReadonlyArray<boolean> | null
  /** @deprecated Use `companyName`. */
  readonly company: string | null
  /** @deprecated Use `companyZipCode`. */
  readonly companyZip: string | null
  /** @deprecated Use `companyEmployeeCount`. */
  readonly companySize: number | null
  /** @deprecated Use `companyTotalRevenue`. */
  readonly companyRevenue: string | null
  /** @deprecated Use `industry`. */
  readonly companyIndustry: string | null
  /** @deprecated Use `firstSeenAt`. */
  readonly firstSeen: string
  /** @deprecated Use `lastSeenAt`. */
  readonly lastSeen: string
  /** @deprecated Use `bingClickId`. */
  readonly msclkid: string | null
  /** @deprecated Use `linkedinClickId`. */
  readonly liFatId: string | null
  /** @deprecated Use `googleGbraid`. */
  readonly gbraid: string | null
  /** @deprecated Use `googleWbraid`. */
  readonly wbraid: string | null
}

/** Window, scope, filter and position of a visitor list. */
export type VisitorListParams = PixelScope &
  VisitorListPosition & {
    /** Default `7d`. */
    readonly timeframe?: Timeframe | undefined
    /** Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
  }

/** Address, window, scope and filter of a look-up. */
export type VisitorGetParams = PixelScope & {
  /** Any known address of the person, or its SHA-256 in hex (`emailHash`). Never empty. */
  readonly email: string
  /** Default `all`. */
  readonly timeframe?: Timeframe | undefined
  /** Default `include`. If the filter excludes the person, NotFoundError is thrown. */
  readonly suppressed?: SuppressedFilter | undefined
}

/** Where to start: at a page, or at a cursor to resume from. */
export type VisitorListPosition =
  | {
      /** 1-based, default 1. */
      readonly page?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly page?: undefined
      /** `meta.nextCursor` of an earlier page, with the same window, scope and filter. */
      readonly cursor?: string | undefined
    }

/** Whether to include suppressed visitors, exclude them, or return no others. */
export type SuppressedFilter = "include" | "exclude" | "only"

/** `meta` of one page of visitors. */
export interface VisitorListMeta extends ResponseMeta {
  /** 1-based. Keeps counting when the list is read by cursor. */
  readonly page: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours with the same window and scope; null on the last page. */
  readonly nextCursor: string | null
  /** People in window, scope and filter, counted with the first page. */
  readonly total: number
  readonly coverage?: Coverage
  readonly scope: Scope
}

/** How much of the requested window the response covers. */
export interface Coverage {
  /** True when not all data of the window was used. */
  readonly partial: boolean
  /** Moment of the oldest data used. ISO 8601, UTC, milliseconds. */
  readonly from: string | null
}

/** The pixels that the request covered. For an unknown domain `pixels` is 0. */
export interface Scope {
  readonly pixels: number
  readonly activePixels: number
  /** Last event any of these pixels received. ISO 8601, UTC, milliseconds. */
  readonly lastEventAt: string | null
}

/** Rule, window, scope, filter and position of a query. */
export type VisitorQueryParams = Qualification &
  VisitorListPosition & {
    /** Id of one pixel. Default: all of the organization's. */
    readonly pixelId?: string | undefined
    /** Replaces the window of the rule. */
    readonly window?: Timeframe | undefined
    /** Visitors per page, 1 to 100, default 50. */
    readonly limit?: number | undefined
    /** Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
  }

/** Who qualifies: a saved segment or a rule, not both. */
export type Qualification =
  | { readonly segmentId: string; readonly ruleAst?: undefined }
  | { readonly ruleAst: RuleAst; readonly segmentId?: undefined }

/** `meta` of one page of qualified visitors. */
export interface VisitorQueryMeta extends ResponseMeta {
  /** 1-based. Keeps counting when the list is read by cursor. */
  readonly page: number
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours with the same query; null on the last page. */
  readonly nextCursor: string | null
  /** Qualified people, counted with the first page; null when counting took more than 2 seconds. */
  readonly total: number | null
  readonly coverage?: Coverage
}

/** One pixel, or all of the organization's when neither is given. */
export type PixelScope =
  | {
      /** Id of the pixel, a uuid. An unknown one is a NotFoundError. */
      readonly pixelId?: string | undefined
      readonly domain?: undefined
    }
  | {
      readonly pixelId?: undefined
      /** Domain of the pixel. An unknown one gives an empty list with `meta.scope.pixels` 0. */
      readonly domain?: string | undefined
    }
