// Companies that visitors come from, whether or not the visitors are identified. spec 13

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ResponseMeta, Timeframe } from "./common.ts"
import type { Journey } from "./sessions.ts"
import type { Coverage, PixelScope, Scope, Visitor } from "./visitors.ts"

/** `footfall.companies`. Needs an API key. */
export class Companies {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the companies of a window and scope, newest activity first.
   * `await` it for one page; loop over it (`for await`) for every company. Nothing is sent until then.
   * Errors: BadRequestError (`INVALID_CURSOR` for an expired or foreign cursor), NotFoundError
   * (unknown `pixelId`).
   */
  list(
    params: CompanyListParams = {},
    options: RequestOptions = {},
  ): PagedList<Company, CompanyListMeta> {
    return this.#transport.list<Company, CompanyListMeta>("/v1/data/companies", params, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Gets a company with its newest sessions and its people.
   * Errors: NotFoundError (never seen, or outside window and scope).
   */
  get(
    domain: string,
    params: CompanyGetParams = {},
    options: RequestOptions = {},
  ): ApiCall<CompanyWithJourney> {
    return this.#transport.get(path`/v1/data/companies/${domain}`, {
      query: { ...params },
      credentials: "apiKey",
      options,
    })
  }
}

/** A company. Counts cover the sessions in window and scope. */
export interface Company {
  /** Registrable domain, for example `acme.co.uk`. */
  readonly domain: string
  readonly name: string | null
  readonly industry: string | null
  readonly employeeCount: number | null
  /** Yearly revenue as a range. */
  readonly totalRevenue: string | null
  readonly linkedinUrl: string | null
  readonly city: string | null
  readonly state: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly sessions: number
  /** Sessions in which no one is identified. */
  readonly anonymousSessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  /** Identified people, without suppressed ones. */
  readonly peopleCount: number
  readonly landingPage: string | null
  readonly referrerDomain: string | null
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  /** Whether a suppression rule names the company or its industry. */
  readonly suppressed: boolean
}

/** A company with its sessions and people. */
export interface CompanyWithJourney extends Company {
  /** The newest 50 sessions. */
  readonly journey: Journey
  /** At most 50, newest activity first; suppressed people are left out. */
  readonly people: ReadonlyArray<Visitor>
}

/** Window, scope, filters and position of a list of companies. */
export type CompanyListParams = PixelScope & {
  /** Default `7d`. */
  readonly timeframe?: Timeframe | undefined
  /** Part of the name or the domain, 1 to 100 characters. */
  readonly q?: string | undefined
  /** Only companies with at least so many sessions. */
  readonly minSessions?: number | undefined
  /** Only companies of which no one is identified. Default false. */
  readonly anonymous?: boolean | undefined
  /** Companies per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** 1-based; cannot be combined with `cursor`. */
  readonly page?: number | undefined
  /** `meta.nextCursor` of an earlier page with the same window, scope and filters. */
  readonly cursor?: string | undefined
}

/** Window and scope of one company. */
export interface CompanyGetParams {
  /** Default `all`. */
  readonly timeframe?: Timeframe | undefined
  /** Id of one pixel. Default: all of the organization's. */
  readonly pixelId?: string | undefined
}

/** Position of one page of companies. */
export interface CompanyListMeta extends ResponseMeta {
  /** 1-based. Keeps counting when the list is read by cursor. */
  readonly page: number
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours with the same window and scope; null on the last page. */
  readonly nextCursor: string | null
  readonly total: number
  readonly coverage?: Coverage
  readonly scope: Scope
}
