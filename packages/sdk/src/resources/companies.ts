// Companies with visits, whether or not the visitors are identified. spec 13
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  ChosenFields,
  Timeframe,
  PixelScope,
  SuppressedFilter,
  ResponseMeta,
} from "../extensions/common.ts"
import type { Qualification } from "../extensions/rules.ts"
import type {
  ExplainedScore,
  RecordUpdateParams,
  Score,
  RecordOwner,
  Journey,
  Visitor,
  Coverage,
  Scope,
} from "./visitors.ts"
import { CompanySessions } from "./company-sessions.ts"
import { CompanyNotes } from "./company-notes.ts"

/** `footfall.companies`. Needs an API key. */
export class Companies {
  readonly #transport: Transport
  /** What visitors of a company did in one session. */
  readonly sessions: CompanySessions
  /** What your team notes about a company. */
  readonly notes: CompanyNotes

  constructor(transport: Transport) {
    this.#transport = transport
    this.sessions = new CompanySessions(transport)
    this.notes = new CompanyNotes(transport)
  }

  /**
   * Returns the score of a company with its reasons. An entry of the fit counts once, if it holds for the company or
   * for any of its people. The interest is the sum over its people, at most 40 each. Its anonymous visitors together
   * count as one more person. The points of an entry are the sum before this limit. Errors: NotFoundError (the
   * company is unknown or suppressed, or has no score yet).
   */
  score(domain: string, options: RequestOptions = {}): ApiCall<ExplainedScore> {
    return this.#transport.get(path`/v1/data/companies/${domain}/score`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Changes the owner and the tags of a company, and returns the company over the whole history. `tags` replaces all
   * tags. Errors: BadRequestError (`ownerId` is not the id of a member, or a tag is not valid), NotFoundError (the
   * company is unknown), ConflictError (the organization would have more than 500 different tags).
   */
  update(
    domain: string,
    params: RecordUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Company> {
    return this.#transport.patch(path`/v1/data/companies/${domain}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Returns one company with its latest 50 sessions and up to 50 of its people, suppressed or not. `people` omits
   * suppressed people; `suppressedPeopleCount` says how many they are. Errors: BadRequestError, NotFoundError (the
   * company was never seen, or not in the window and scope).
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

  /**
   * Returns the topics that people of a company research, with the highest score among them. It omits suppressed
   * people and people who are held back. At most 100 topics, highest score first. Errors: NotFoundError (the company
   * is unknown or suppressed), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  topics(domain: string, options: RequestOptions = {}): ApiCall<CompanyTopics> {
    return this.#transport.get(path`/v1/data/companies/${domain}/topics`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Returns the companies your visitors come from, most recently seen first. Companies come from the network of a
   * visit, from business email addresses and from imported data. The counts cover all sessions in `timeframe`,
   * including those of anonymous visitors. By default they leave out suppressed people and companies, with their
   * sessions. With `fields`, each company has only these. `await` it for one page; loop over it (`for await`) for
   * every row. It sends nothing before that. Errors: BadRequestError (`INVALID_CURSOR`; the cursor has expired or
   * belongs to another list), NotFoundError (`pixelId` is unknown), UnprocessableError (`QUERY_TOO_SLOW`).
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
    return this.#transport.list("/v1/data/companies", params, { credentials: "apiKey", options })
  }

  /**
   * Returns the companies that match a rule: `ruleAst`, or that of a segment of companies. `behavior.*` and
   * `attribution.*` cover all sessions of the company, including anonymous ones. Fields of people, such as
   * `contact.name` and `company.job_title`, return `INVALID_RULE`. By default it leaves out suppressed companies, and
   * sessions of suppressed people. `await` it for one page; loop over it (`for await`) for every row. It sends
   * nothing before that. Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`; `INVALID_CURSOR`; the segment is
   * one of people), NotFoundError (`segmentId` or `pixelId` is unknown), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  query(
    params: CompanyQueryParams,
    options: RequestOptions = {},
  ): PagedList<Company, CompanyQueryMeta> {
    return this.#transport.list("/v1/data/companies/query", params, {
      method: "POST",
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Returns the page views of a company by day, for each of its people and for anonymous visitors by country. Days
   * are those of the organization's time zone, and days without a visit are left out. It omits suppressed people, and
   * shows people who are held back as anonymous visitors. Errors: BadRequestError, NotFoundError (the company was
   * never seen, or `pixelId` is unknown), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  activity(
    domain: string,
    params: CompanyActivityParams = {},
    options: RequestOptions = {},
  ): ApiCall<CompanyActivity> {
    return this.#transport.get(path`/v1/data/companies/${domain}/activity`, {
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
  /** Null for a suppressed company, and until the first score is computed. */
  readonly score: Score | null
  /** The member who looks after the company; null without one. */
  readonly owner: RecordOwner | null
  /** Its tags, in alphabetical order. */
  readonly tags: ReadonlyArray<string>
}

/** Window and scope for one company. */
export interface CompanyGetParams {
  /** Only visits in this period. Default `all`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included, such as `2026-02-28`. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Only visits this pixel recorded. */
  readonly pixelId?: string | undefined
}

/** A company with its sessions and people. */
export interface CompanyWithJourney extends Company {
  /** First and last touch, and the latest 50 sessions. */
  readonly journey: Journey
  /** Identified people of the company: at most 50, most recent activity first, without suppressed people. */
  readonly people: ReadonlyArray<Visitor>
}

/** What the people of a company research. */
export interface CompanyTopics {
  /** The newest data date; null without data. */
  readonly dataDate: string | null
  /** The data date before; null if it is not known. */
  readonly previousDate: string | null
  /** Highest score first. */
  readonly topics: ReadonlyArray<CompanyTopic>
}

/** Window, scope, filters and position of a company list. */
export type CompanyListParams = PixelScope & {
  /** Only companies that visited in this period. Default `7d`. */
  readonly timeframe?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
  readonly from?: string | undefined
  /** Last day, included, such as `2026-02-28`. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Page number, starting at 1. Cannot be combined with `cursor`. From 1 to 2,147,483,647. */
  readonly page?: number | undefined
  /** The `nextCursor` of the previous page. Cannot be combined with `page`. */
  readonly cursor?: string | undefined
  /** Page size, 1 to 100. */
  readonly limit?: number | undefined
  /** Part of the name or the domain, 1 to 100 characters. */
  readonly q?: string | undefined
  /** Only those whose owner is this member, or `none`: those without an owner. */
  readonly ownerId?: string | undefined
  /** Only those with this tag, compared without case. */
  readonly tag?: string | undefined
  /** Only companies with at least this many sessions in the period. From 1 to 2,147,483,647. */
  readonly minSessions?: number | undefined
  /** `true`: only companies where no one is identified. */
  readonly anonymous?: boolean | undefined
  /** Whether to list suppressed companies, and to count sessions of suppressed people. Default `exclude`. */
  readonly suppressed?: SuppressedFilter | undefined
  /** `score`: highest score first, those without one last. Default `last_seen`. */
  readonly sort?: "last_seen" | "score" | undefined
}

/** `meta` of one page of companies. */
export interface CompanyListMeta extends ResponseMeta {
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
  /** Rows in all pages; null if counting took longer than 2 seconds. */
  readonly total: number | null
  /** What the list and its counts include. */
  readonly suppressed: SuppressedFilter
  /** What the list is based on. Absent if there is nothing to report. */
  readonly coverage?: Coverage
  /** The pixels that the list covers. */
  readonly scope: Scope
}

/** Rule, window, scope, filter and position of a query. */
export type CompanyQueryParams = Qualification & {
  /** Page number, starting at 1. Cannot be combined with `cursor`. From 1 to 2,147,483,647. */
  readonly page?: number | undefined
  /** The `nextCursor` of the previous page. Cannot be combined with `page`. */
  readonly cursor?: string | undefined
  /** Page size. Default 50. From 1 to 100. */
  readonly limit?: number | undefined
  /** Only visits to this pixel's site. */
  readonly pixelId?: string | undefined
  /** Only who was seen in this period. Default: the window of the rule. */
  readonly window?: Timeframe | undefined
  /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `window`. */
  readonly from?: string | undefined
  /** Last day, included, such as `2026-02-28`. Only with `from`. Default: today. */
  readonly to?: string | undefined
  /** Whether to list suppressed companies, and to count sessions of suppressed people. Default `exclude`. */
  readonly suppressed?: SuppressedFilter | undefined
}

/** `meta` of one page of matching companies. */
export interface CompanyQueryMeta extends ResponseMeta {
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
  /** Rows in all pages. */
  readonly total: number | null
  /** What the list is based on. Absent if there is nothing to report. */
  readonly coverage?: Coverage
}

/** Days and scope of a company's activity. */
export interface CompanyActivityParams {
  /** The days to show, up to today. `24h` is the last 24 hours. Default `30d`. */
  readonly timeframe?: "24h" | "7d" | "14d" | "30d" | "90d" | undefined
  /**
   * First day, in the organization's time zone, such as `2026-01-31`. At most 365 days ago. Cannot be combined with
   * `timeframe`.
   */
  readonly from?: string | undefined
  /** Last day, at most 365 days after `from`. Default: today. */
  readonly to?: string | undefined
  /** Only visits this pixel recorded. */
  readonly pixelId?: string | undefined
}

/** What a company did, day by day. */
export interface CompanyActivity {
  /** The organization's time zone. */
  readonly timeZone: string
  /** At most 50 people, most page views first. */
  readonly people: ReadonlyArray<CompanyActivityPerson>
  /** The company's other people, together. */
  readonly others: {
    /** Number of people. */
    readonly people: number
    /** Their days, oldest first. */
    readonly days: ReadonlyArray<CompanyActivityDay>
  }
  /** Visitors who are not identified, by country, most page views first. */
  readonly anonymous: ReadonlyArray<CompanyActivityCountry>
}

/** A topic, and the highest score among the people. */
export interface CompanyTopic {
  /** Id of the topic. */
  readonly topicId: number
  /** Its name. */
  readonly topicName: string
  /** Score on the newest data date, 1 to 100; null without one. */
  readonly score: number | null
  /** Score on the data date before; null without one. */
  readonly previousScore: number | null
  /** People with a score on the newest data date. */
  readonly people: number
}

/** One person of the company. */
export interface CompanyActivityPerson {
  /** SHA-256 of the person's email address. */
  readonly emailHash: string
  /** First and last name. */
  readonly name: string | null
  /** Job title. */
  readonly jobTitle: string | null
  /** Days with a visit, oldest first. */
  readonly days: ReadonlyArray<CompanyActivityDay>
}

/** One day. */
export interface CompanyActivityDay {
  /** The day, in the organization's time zone. */
  readonly date: string
  /** Sessions that started. */
  readonly sessions: number
  /** Page views. */
  readonly pageviews: number
  /** Views of pricing pages. */
  readonly pricingPageViews: number
  /** Views of demo pages. */
  readonly demoPageViews: number
  /** Names of the key pages that were read: `pricing`, `demo`, and those of the site's settings. */
  readonly keyPages: ReadonlyArray<string>
}

/** The anonymous visitors from one country. */
export interface CompanyActivityCountry {
  /** ISO 3166 country code; null if unknown. */
  readonly country: string | null
  /** Days with a visit, oldest first. */
  readonly days: ReadonlyArray<CompanyActivityDay>
}
