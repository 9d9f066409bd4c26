// Companies with visits, whether or not the visitors are identified. spec 13

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  ResponseMeta,
  Timeframe,
  ChosenFields,
  PixelScope,
  SuppressedFilter,
} from "../extensions/common.ts"
import type { Journey } from "./sessions.ts"
import type { Coverage, Scope, Visitor } from "./visitors.ts"

/** `footfall.companies`. Needs an API key. */
export class Companies {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the companies of a window and scope, most recent activity first. With `fields`, each company has only these. `await` it for one page; loop over it (`for
   * await`) for every company. It sends nothing before that. Errors: BadRequestError (`INVALID_CURSOR` if the cursor
   * has expired or belongs to another list), NotFoundError (unknown `pixelId`), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  list<Field extends keyof Company>(
    params: CompanyListParams & ChosenFields<Field>,
    options?: RequestOptions,
  ): PagedList<Pick<Company, Field>, CompanyListMeta>
  list(params?: CompanyListParams, options?: RequestOptions): PagedList<Company, CompanyListMeta>
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
   * Gets a company with its most recent sessions and its people. Errors: NotFoundError (never seen, or outside the
   * window or scope).
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

/** A company. Counts cover the sessions in the window and scope. */
export interface Company {
  /** Registrable domain, for example `acme.co.uk`. */
  readonly domain: string
  /** Name, from the person seen last who has one, otherwise from the network. */
  readonly name: string | null
  /** Lower-case label, as in the enrichment data. */
  readonly industry: string | null
  /** Number of employees. */
  readonly employeeCount: number | null
  /** Annual revenue, as a range. */
  readonly totalRevenue: string | null
  /** Address of the LinkedIn page. */
  readonly linkedinUrl: string | null
  /** City of the network from which the company visits. */
  readonly city: string | null
  /** State or region of the network. */
  readonly state: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  /** Time of the first session in the pixel scope, over the whole history. */
  readonly firstSeenAt: string
  /** Time of the last session in the pixel scope, over the whole history. */
  readonly lastSeenAt: string
  /** Sessions within the requested window and pixel scope. */
  readonly sessions: number
  /** Sessions without an identified visitor. */
  readonly anonymousSessions: number
  /** Page views within the requested window and pixel scope. */
  readonly pageviews: number
  /** Views of pricing pages within the requested window and pixel scope. */
  readonly pricingPageViews: number
  /** Views of demo pages within the requested window and pixel scope. */
  readonly demoPageViews: number
  /** Identified people, not counting suppressed ones. */
  readonly peopleCount: number
  /** Identified people who are suppressed. */
  readonly suppressedPeopleCount: number
  /** First page of the earliest session in the window and scope, without query and fragment. */
  readonly landingPage: string | null
  /** Host of the first external referrer, without `www.`. */
  readonly referrerDomain: string | null
  /** From the last touch that was not direct. */
  readonly utmSource: string | null
  /** From the same touch as `utmSource`. */
  readonly utmMedium: string | null
  /** From the same touch as `utmSource`. */
  readonly utmCampaign: string | null
  /** Whether a suppression rule matches the company or its industry. */
  readonly suppressed: boolean
}

/** A company with its sessions and people. */
export interface CompanyWithJourney extends Company {
  /** The latest 50 sessions. */
  readonly journey: Journey
  /** At most 50, most recent activity first, without suppressed people. */
  readonly people: ReadonlyArray<Visitor>
}

/** Window, scope, filters and position of a company list. */
export type CompanyListParams = PixelScope & {
  /** Default `7d`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Part of the name or the domain, 1 to 100 characters. */
  readonly q?: string | undefined
  /** Only companies with at least this many sessions. */
  readonly minSessions?: number | undefined
  /** Only companies without any identified visitor. Default false. */
  readonly anonymous?: boolean | undefined
  /**
   * Default `exclude`: leaves out suppressed companies, and companies with sessions of suppressed people only, and does
   * not count sessions of suppressed people. `only` lists what `exclude` leaves out.
   */
  readonly suppressed?: SuppressedFilter | undefined
  /** Companies per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** Page number, from 1. Cannot be combined with `cursor`. */
  readonly page?: number | undefined
  /** `meta.nextCursor` of a previous page with the same window, scope and filters. */
  readonly cursor?: string | undefined
}

/** Window and scope for one company. */
export interface CompanyGetParams {
  /** Default `all`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Id of a pixel. Default: all of the organization's pixels. */
  readonly pixelId?: string | undefined
}

/** `meta` of one page of companies. */
export interface CompanyListMeta extends ResponseMeta {
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque. Valid for 24 hours, with the same window and scope. Null on the last page. */
  readonly nextCursor: string | null
  /** Null if counting took longer than 2 seconds. */
  readonly total: number | null
  /** What the list and its counts include. */
  readonly suppressed: SuppressedFilter
  readonly coverage?: Coverage
  readonly scope: Scope
}
