// Identified visitors. A visitor is one person with all known email addresses. Unknown values are empty lists or null;
// documented fields are never missing. spec 1.6, 2.1 and 5.1

import type { ApiCall } from "../core/api-call.ts"
import { atCursor, PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  ChosenFields,
  Deleted,
  PixelScope,
  ResponseMeta,
  SuppressedFilter,
  Timeframe,
  VisitorListPosition,
} from "../extensions/common.ts"
import type { Qualification } from "../extensions/rules.ts"
import type { Journey, SessionListMeta, SessionListParams, SessionSummary } from "./sessions.ts"

/** `footfall.visitors`. Needs an API key. */
export class Visitors {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the visitors of a window and scope, most recent activity first. With `fields`, each visitor has only these. `await` it for one page; loop
   * over it (`for await`) for every visitor. It sends nothing before that. Guarantee: all pages cover the window of the
   * first request, so no visitor appears twice unless they are seen again while you read. Errors: BadRequestError
   * (`INVALID_CURSOR` if the cursor has expired or belongs to another list), NotFoundError (unknown `pixelId`);
   * with `q` or a past `to`, UnprocessableError (`QUERY_TOO_SLOW`).
   */
  list<Field extends keyof Visitor>(
    params: VisitorListParams & ChosenFields<Field>,
    options?: RequestOptions,
  ): PagedList<Pick<Visitor, Field>, VisitorListMeta>
  list(params?: VisitorListParams, options?: RequestOptions): PagedList<Visitor, VisitorListMeta>
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
   * Gets a visitor and their journey, by any of their email addresses or its SHA-256 (`emailHash`). Errors: TypeError
   * (empty address, before anything is sent), NotFoundError (never identified, held back, erased, or outside the
   * window, scope or filter).
   */
  get(params: VisitorGetParams, options: RequestOptions = {}): ApiCall<VisitorWithJourney> {
    return this.#transport.requestData(() => {
      // Without an address, the same route returns a list.
      if (params.email.trim() === "") throw new TypeError("email must not be empty")
      const query = { ...params }
      return { method: "GET", path: "/v1/data", query, credentials: "apiKey", options }
    })
  }

  /**
   * Lists the visitors that a rule or a saved segment matches, most recent activity first. It uses stored data and
   * costs no credits. `await` it for one page; loop over it for every visitor. Errors: BadRequestError (`INVALID_RULE`:
   * see `invalidRule`; `INVALID_CURSOR`), NotFoundError (unknown `segmentId` or `pixelId`).
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
   * Lists a visitor's sessions, newest first. `visitorId` is the SHA-256 of any of their email addresses, for example
   * `emailHash`. Guarantee: all pages end at the same time (`meta.asOf`), so new sessions cause no repeats or gaps.
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
   * Gets how Footfall learned each of a visitor's email addresses, and where each profile value comes from. `visitorId`
   * is the SHA-256 of any of their email addresses. Errors: NotFoundError.
   */
  origins(visitorId: string, options: RequestOptions = {}): ApiCall<VisitorOrigins> {
    return this.#transport.get(path`/v1/data/visitors/${visitorId}/origins`, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Erases a person permanently: profile, email addresses, sessions and events. Only a keyed hash of each address
   * stays, so that a new visit does not bring the person back. With `suppress`, the addresses also become suppression
   * rules. Errors: NotFoundError, also if a retry finds that the first attempt succeeded.
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
  /** Whether to add an `email` suppression rule for every known email address. Default false. */
  readonly suppress?: boolean | undefined
}

/** A visitor: the current fields and their legacy aliases. */
export interface Visitor extends LegacyVisitorFields {
  /** Primary email address; null only if only the person's hash is known. */
  readonly email: string | null
  /** SHA-256 of the normalized primary email address, 64 lower-case hexadecimal characters. */
  readonly emailHash: string
  /** Hashes of the primary email address: SHA-256, SHA-1 and MD5. */
  readonly emailHashes: EmailHashes
  /** All known email addresses, the primary one first. */
  readonly emails: ReadonlyArray<string>
  /** Those of `emails` at a company's own domain. */
  readonly businessEmails: ReadonlyArray<string>
  /** Those of `emails` at a mailbox provider, such as gmail.com. */
  readonly personalEmails: ReadonlyArray<string>
  /** Phone numbers in E.164 format. */
  readonly phones: ReadonlyArray<string>
  /** True: at least one phone number is on a do-not-call list. False: none is. Null: unknown. */
  readonly phonesDnc: boolean | null
  /** Attributes from the script URL, merged over all events in scope. The last value wins. */
  readonly customAttribution: Readonly<Record<string, string>>

  /** Given name. */
  readonly firstName: string | null
  /** Family name. */
  readonly lastName: string | null
  /** First and last name, joined with a space. */
  readonly fullName: string | null
  /** Address of the person's LinkedIn profile. */
  readonly linkedinUrl: string | null

  /** Name of the person's company. */
  readonly companyName: string | null
  /** Normalized: lower case, without scheme, `www.` or path. */
  readonly companyDomain: string | null
  /** Address of the company's LinkedIn page. */
  readonly companyLinkedinUrl: string | null
  /** Number of the company's employees. */
  readonly companyEmployeeCount: number | null
  /** A `CompanyRevenueRange`, for example `50 million to 100 million`. */
  readonly companyTotalRevenue: string | null
  /** Lower-case label, as in the enrichment data. */
  readonly industry: string | null
  /** Postal code of the company. */
  readonly companyZipCode: string | null

  /** Job title, as the source wrote it. */
  readonly jobTitle: string | null
  /** A `Seniority`, for example `vp`. */
  readonly seniority: string | null
  /** A `Department`, for example `operations`. */
  readonly department: string | null
  /** City of the person. */
  readonly city: string | null
  /** Two-letter postal code in the US, name of the region elsewhere. */
  readonly state: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null

  /** Sessions within the requested window and pixel scope. */
  readonly sessions: number
  /** Page views within the requested window and pixel scope. */
  readonly pageviews: number
  /** Views of pricing pages within the requested window and pixel scope. */
  readonly pricingPageViews: number
  /** Views of demo pages within the requested window and pixel scope. */
  readonly demoPageViews: number
  /** Time of the first event in the pixel scope, over the whole history. */
  readonly firstSeenAt: string
  /** Time of the last event in the pixel scope, over the whole history. */
  readonly lastSeenAt: string

  /** First page of the earliest session in the window and scope, without query and fragment. */
  readonly landingPage: string | null
  /** Distinct pages in the window and scope, most recent first, at most 100. */
  readonly visitedPages: ReadonlyArray<string>
  /** Origin and path of the first external referrer. */
  readonly referrer: string | null
  /** Host of `referrer`, without `www.`. */
  readonly referrerDomain: string | null

  /** From the last touch that was not direct. At most 255 characters. */
  readonly utmSource: string | null
  /** From the same touch as `utmSource`. */
  readonly utmMedium: string | null
  /** From the same touch as `utmSource`. */
  readonly utmCampaign: string | null
  /** From the same touch as `utmSource`. */
  readonly utmTerm: string | null
  /** From the same touch as `utmSource`. */
  readonly utmContent: string | null

  /** Click id of Google Ads: the last value in the window and scope, at most 90 days old. */
  readonly gclid: string | null
  /** Click id of Meta. Chosen as `gclid` is. */
  readonly fbclid: string | null
  /** Click id of Microsoft Advertising (`msclkid`). Chosen as `gclid` is. */
  readonly bingClickId: string | null
  /** Click id of LinkedIn (`li_fat_id`). Chosen as `gclid` is. */
  readonly linkedinClickId: string | null
  /** Google's `gbraid`, for clicks from apps. Chosen as `gclid` is. */
  readonly googleGbraid: string | null
  /** Google's `wbraid`, for clicks that lead to an app. Chosen as `gclid` is. */
  readonly googleWbraid: string | null

  /** True while a suppression rule matches the visitor. */
  readonly suppressed: boolean
}

/** Where a value comes from. `email_domain`: the company domain of a business email address. */
export type Origin =
  | "visit"
  | "import"
  | "shared_import"
  | "identity_link"
  | "resolver"
  | "email_domain"

export interface AddressOrigin {
  /** SHA-256 of the address. */
  readonly emailHash: string
  /** Null if only the hash is known. */
  readonly email: string | null
  /** Where the address comes from. */
  readonly origin: Origin
  /** Null unless the first event with this address is still stored. */
  readonly way: "identify" | "form" | "mail_link" | null
  /** The pixel that received it, if one did. */
  readonly pixelId: string | null
  /** When a visit first included this address; null if none did. */
  readonly firstSeenAt: string | null
}

export interface ValueOrigin {
  /** The field's name, for example `jobTitle`. */
  readonly field: string
  /** Where the value comes from. */
  readonly origin: Origin
}

/** Where a visitor's data comes from. */
export interface VisitorOrigins {
  /** One entry for each known email address. */
  readonly addresses: ReadonlyArray<AddressOrigin>
  /** One entry for each known profile value. */
  readonly values: ReadonlyArray<ValueOrigin>
}

/** A visitor with their journey. */
export interface VisitorWithJourney extends Visitor {
  /** First and last touch, and the sessions. */
  readonly journey: Journey
}

/** Hashes of the normalized primary email address, in lower-case hexadecimal. */
export interface EmailHashes {
  /** The same value as `emailHash`. */
  readonly sha256: string
  /** Null only if only the person's hash is known. */
  readonly sha1: string | null
  /** Null only if only the person's hash is known. */
  readonly md5: string | null
}

/** Older names of the same values. They stay for all of /v1. Use the current names in new code. */
export interface LegacyVisitorFields {
  /** @deprecated Use `emails`. */
  readonly allEmails: ReadonlyArray<string>
  /** @deprecated Use the first of `phones`. */
  readonly primaryPhone: string | null
  /** @deprecated Use `phones`. */
  readonly allPhones: ReadonlyArray<string>
  /**
   * @deprecated Use `phonesDnc`. One value for each of `phones`, or null if not known.
   */
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
    /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
    readonly from?: string | undefined
    /** Last day, included. Only with `from`. Default: today. */
    readonly to?: string | undefined
    /** Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
    /** Any part of the name or of an email address, 1 to 100 characters. Case and accents do not matter. */
    readonly q?: string | undefined
    /** Visitors per page, 1 to 100, default 50. */
    readonly limit?: number | undefined
  }

/** Email address, window, scope and filter of a lookup. */
export type VisitorGetParams = PixelScope & {
  /** Any of the person's known email addresses, or its SHA-256 in hex (`emailHash`). Must not be empty. */
  readonly email: string
  /** Default `all`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Default `include`. If the filter excludes the person, the call throws a NotFoundError. */
  readonly suppressed?: SuppressedFilter | undefined
}

/** `meta` of one page of visitors. */
export interface VisitorListMeta extends ResponseMeta {
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  readonly hasMore: boolean
  /** Opaque. Valid for 24 hours, with the same window and scope. Null on the last page. */
  readonly nextCursor: string | null
  /**
   * Number of people that match the window, scope and filter, counted when the first page was requested. Null only with
   * `q` or a past `to`, when counting took longer than 2 seconds.
   */
  readonly total: number | null
  readonly coverage?: Coverage
  readonly scope: Scope
}

/** How much of the requested window the response covers. */
export interface Coverage {
  /** True if the response does not use all data of the window. */
  readonly partial: boolean
  /** Time of the oldest data used. ISO 8601, UTC, milliseconds. */
  readonly from: string | null
}

/** The pixels that the request covered. `pixels` is 0 for an unknown domain. */
export interface Scope {
  /** Pixels in the scope. */
  readonly pixels: number
  /** Those of `pixels` that are active. */
  readonly activePixels: number
  /** Time of the last event that any of these pixels received. ISO 8601, UTC, milliseconds. */
  readonly lastEventAt: string | null
}

/** Rule, window, scope, filter and position of a query. */
export type VisitorQueryParams = Qualification &
  VisitorListPosition & {
    /** Id of a pixel. Default: all of the organization's pixels. */
    readonly pixelId?: string | undefined
    /** Overrides the rule's window. */
    readonly window?: Timeframe | undefined
    /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `window`. */
    readonly from?: string | undefined
    /** Last day, included. Only with `from`. Default: today. */
    readonly to?: string | undefined
    /** Visitors per page, 1 to 100, default 50. */
    readonly limit?: number | undefined
    /** Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
  }

/** `meta` of one page of matching visitors. */
export interface VisitorQueryMeta extends ResponseMeta {
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque. Valid for 24 hours, with the same query. Null on the last page. */
  readonly nextCursor: string | null
  /**
   * Number of matching people, counted when the first page was requested; null if counting took more than 2 seconds.
   */
  readonly total: number | null
  readonly coverage?: Coverage
}
