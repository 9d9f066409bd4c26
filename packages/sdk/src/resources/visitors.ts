// Identified visitors. A visitor is one person with all known email addresses. Unknown values are empty lists or null; documented fields are never missing. spec 1.6, 2.1, 5.1, 6.5 and 11
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  ChosenFields,
  PixelScope,
  VisitorListPosition,
  Timeframe,
  SuppressedFilter,
  ResponseMeta,
} from "../extensions/common.ts"
import type { Qualification } from "../extensions/rules.ts"
import type { SessionSummary, Channel } from "./visitor-sessions.ts"
import { VisitorNotes } from "./visitor-notes.ts"

/** `footfall.visitors`. Needs an API key. */
export class Visitors {
  readonly #transport: Transport
  /** What your team notes about a person. */
  readonly notes: VisitorNotes

  constructor(transport: Transport) {
    this.#transport = transport
    this.notes = new VisitorNotes(transport)
  }

  /**
   * Returns the people your pixels identified, most recently seen first. `q` finds people by any part of their name
   * or of an email address. With `fields`, each visitor has only these. `await` it for one page; loop over it (`for
   * await`) for every row. It sends nothing before that. Guarantee: all pages cover the window of the first request,
   * so no visitor appears twice unless they are seen again while you read. Errors: BadRequestError (`INVALID_CURSOR`;
   * the cursor has expired or belongs to another list), NotFoundError (`pixelId` is unknown), UnprocessableError
   * (`QUERY_TOO_SLOW`).
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
    return this.#transport.list("/v1/data", params, { credentials: "apiKey", options })
  }

  /**
   * Returns the visitors who match a rule. Send the rule itself as `ruleAst`, or the id of a segment of people as
   * `segmentId`. An invalid rule returns `INVALID_RULE`, and `details.path` points to the part that is wrong. `await`
   * it for one page; loop over it (`for await`) for every row. It sends nothing before that. Errors: BadRequestError
   * (`INVALID_RULE`: see `invalidRule`; `INVALID_CURSOR`; the segment is one of companies), NotFoundError
   * (`segmentId` or `pixelId` is unknown), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  query(
    params: VisitorQueryParams,
    options: RequestOptions = {},
  ): PagedList<Visitor, VisitorQueryMeta> {
    return this.#transport.list("/v1/data/query", params, {
      method: "POST",
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Returns the score of a person with its reasons: each entry of the settings that counted, with its points. Scores
   * are computed within a minute of a visit, and again a few times a day, because interest fades. Errors:
   * NotFoundError (the visitor is unknown, suppressed or held back, or has no score yet).
   */
  score(visitorId: string, options: RequestOptions = {}): ApiCall<ExplainedScore> {
    return this.#transport.get(path`/v1/data/visitors/${visitorId}/score`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Changes the owner and the tags of a person, whichever of their addresses you name, and returns the person over
   * the whole history. `tags` replaces all tags. Errors: BadRequestError (`ownerId` is not the id of a member, or a
   * tag is not valid), NotFoundError (the person is unknown, held back or erased), ConflictError (the organization
   * would have more than 500 different tags).
   */
  update(
    visitorId: string,
    params: RecordUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Visitor> {
    return this.#transport.patch(path`/v1/data/visitors/${visitorId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Permanently erases all data the organization has about one person. Profile, addresses, sessions, events and
   * imported rows are erased immediately; run results, export files and webhook payloads within 24 hours. Later
   * visits do not identify this person again. `receipt` says what was deleted and which destinations had the person.
   * Errors: BadRequestError, NotFoundError (the person is unknown or already erased).
   */
  erase(
    visitorId: string,
    params: VisitorEraseParams = {},
    options: RequestOptions = {},
  ): ApiCall<ErasedVisitor> {
    return this.#transport.delete(path`/v1/data/visitors/${visitorId}`, {
      query: { ...params },
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Returns the topics that a person researches: those with a score of 1 or more on the newest data date, with the
   * score of the date before. At most 100, highest score first. Errors: NotFoundError (the visitor is unknown,
   * suppressed or held back).
   */
  topics(visitorId: string, options: RequestOptions = {}): ApiCall<VisitorTopics> {
    return this.#transport.get(path`/v1/data/visitors/${visitorId}/topics`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Returns the source of each of a visitor's email addresses and profile values: visits, imports, identity links, a
   * resolver, or the domain of a business address. `visitorId` is the SHA-256 of any of their email addresses.
   * Errors: NotFoundError.
   */
  origins(visitorId: string, options: RequestOptions = {}): ApiCall<VisitorOrigins> {
    return this.#transport.get(path`/v1/data/visitors/${visitorId}/origins`, {
      credentials: "apiKey",
      options,
    })
  }
}

/** Window, scope, filter and position of a visitor list. */
export type VisitorListParams = PixelScope &
  VisitorListPosition & {
    /** Only visitors seen in this period. Default `7d`, or `all` with `email`. */
    readonly timeframe?: Timeframe | undefined
    /** First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `timeframe`. */
    readonly from?: string | undefined
    /** Last day, included, such as `2026-02-28`. Only with `from`. Default: today. */
    readonly to?: string | undefined
    /** Page size, 1 to 100. */
    readonly limit?: number | undefined
    /** Whether to include suppressed visitors. Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
    /** `score`: highest score first, those without one last. Default `last_seen`. Cannot be combined with `email`. */
    readonly sort?: "last_seen" | "score" | undefined
    /**
     * Any part of the name or of an email address, 1 to 100 characters, compared without case and accents. Cannot be
     * combined with `email`.
     */
    readonly q?: string | undefined
    /** Only those whose owner is this member, or `none`: those without an owner. */
    readonly ownerId?: string | undefined
    /** Only those with this tag, compared without case. */
    readonly tag?: string | undefined
  }

/** A visitor: the current fields and their legacy aliases. */
export interface Visitor {
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
  /** A range, for example `50 million to 100 million`. */
  readonly companyTotalRevenue: string | null
  /** Lower-case label, as in the enrichment data. */
  readonly industry: string | null
  /** Postal code of the company. */
  readonly companyZipCode: string | null
  /** Job title, as the source wrote it. */
  readonly jobTitle: string | null
  /** A level, for example `vp`. */
  readonly seniority: string | null
  /** A department, for example `operations`. */
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
  /** Null for someone suppressed, and until the first score is computed. */
  readonly score: Score | null
  /** The member who looks after the person; null without one. */
  readonly owner: RecordOwner | null
  /** Their tags, in alphabetical order. */
  readonly tags: ReadonlyArray<string>
  /** @deprecated The same as `emails`, under its former name. */
  readonly allEmails: ReadonlyArray<string>
  /** @deprecated The first of `phones`; null without one. */
  readonly primaryPhone: string | null
  /** @deprecated The same as `phones`, under its former name. */
  readonly allPhones: ReadonlyArray<string>
  /** @deprecated One value for each of `phones`: whether it is on a do-not-call list; null if unknown. */
  readonly phonesDNC: ReadonlyArray<boolean> | null
  /** @deprecated The same as `companyName`, under its former name. */
  readonly company: string | null
  /** @deprecated The same as `companyZipCode`, under its former name. */
  readonly companyZip: string | null
  /** @deprecated The same as `companyEmployeeCount`, under its former name. */
  readonly companySize: number | null
  /** @deprecated The same as `companyTotalRevenue`, under its former name. */
  readonly companyRevenue: string | null
  /** @deprecated The same as `industry`, under its former name. */
  readonly companyIndustry: string | null
  /** @deprecated The same as `firstSeenAt`, under its former name. */
  readonly firstSeen: string
  /** @deprecated The same as `lastSeenAt`, under its former name. */
  readonly lastSeen: string
  /** @deprecated The same as `bingClickId`, under its former name. */
  readonly msclkid: string | null
  /** @deprecated The same as `linkedinClickId`, under its former name. */
  readonly liFatId: string | null
  /** @deprecated The same as `googleGbraid`, under its former name. */
  readonly gbraid: string | null
  /** @deprecated The same as `googleWbraid`, under its former name. */
  readonly wbraid: string | null
}

/** `meta` of one page of visitors. */
export interface VisitorListMeta extends ResponseMeta {
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
  /** Rows in all pages; null if counting took longer than 2 seconds. */
  readonly total: number | null
  /** What the list is based on. Absent if there is nothing to report. */
  readonly coverage?: Coverage
  /** The pixels that the list covers. */
  readonly scope: Scope
}

/** Rule, window, scope, filter and position of a query. */
export type VisitorQueryParams = Qualification &
  VisitorListPosition & {
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
    /** Whether to include suppressed visitors. Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
    /** `score`: highest score first, those without one last. Default `last_seen`. */
    readonly sort?: "last_seen" | "score" | undefined
  }

/** `meta` of one page of matching visitors. */
export interface VisitorQueryMeta extends ResponseMeta {
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
  /** What the list is based on. Absent if there is nothing to report. */
  readonly coverage?: Coverage
}

/** A score with its reasons. */
export interface ExplainedScore {
  /** Fit and interest by their weights, 0 to 100. */
  readonly total: number
  /** Who they are, 0 to 100. */
  readonly fit: number
  /** What they did lately, 0 to 100. */
  readonly interest: number
  /** Whether the total has reached the threshold. */
  readonly hot: boolean
  /** When it was computed. Since then, interest has faded a little. */
  readonly computedAt: string
  /** Every entry that added something, in the order of the settings. */
  readonly entries: ReadonlyArray<CountedScoreEntry>
  /** The totals with which this day and this week began. */
  readonly previous: {
    /** The total at the beginning of today; null if there was none. */
    readonly dayAgo: number | null
    /** The total at the beginning of this week; null if there was none. */
    readonly monday: number | null
  }
}

/** What to change of a person or a company. What you leave out stays. */
export interface RecordUpdateParams {
  /** Id of the member who looks after the person or company, or null for no one. */
  readonly ownerId?: string | null | undefined
  /**
   * All tags: up to 20 texts of 1 to 50 characters, without commas. Repeats in another case are dropped. They replace
   * the earlier tags.
   */
  readonly tags?: ReadonlyArray<string> | undefined
}

/** Options of an erasure. */
export interface VisitorEraseParams {
  /** `true` also adds a suppression rule for every known email address. Default `false`. */
  readonly suppress?: boolean | undefined
}

export interface ErasedVisitor {
  /** Always `true`. */
  readonly deleted: true
  /** What the erasure did. It can be read again. */
  readonly receipt: ErasureReceipt
}

/** What a person researches. */
export interface VisitorTopics {
  /** The newest data date; null without data. */
  readonly dataDate: string | null
  /** The data date before; null if it is not known. */
  readonly previousDate: string | null
  /** Highest score first. */
  readonly topics: ReadonlyArray<VisitorTopic>
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
  /** First and last touch, and the newest 50 sessions. */
  readonly journey: Journey
}

/** Hashes of the normalized primary email address, in lower-case hexadecimal. */
export interface EmailHashes {
  /** The same value as `emailHash`. */
  readonly sha256: string
  /** SHA-1 of the address; null only if only the person's hash is known. */
  readonly sha1: string | null
  /** MD5 of the address; null only if only the person's hash is known. */
  readonly md5: string | null
}

/** How right and how interested someone is. */
export interface Score {
  /** Fit and interest by their weights, 0 to 100. */
  readonly total: number
  /** Who they are, 0 to 100. */
  readonly fit: number
  /** What they did lately, 0 to 100. */
  readonly interest: number
  /** Whether the total has reached the threshold. */
  readonly hot: boolean
  /** The reason with most points; null if none adds any. */
  readonly top: TopScoreReason | null
}

/** A member who looks after a person or a company. */
export interface RecordOwner {
  /** Id of the member. */
  readonly id: string
  /** Their name; null if they have none, and until they accept the invitation. */
  readonly name: string | null
  /** Their address. */
  readonly email: string
}

/** How much of the requested window the response covers. */
export interface Coverage {
  /** True: data of the period was left out, because it is not processed yet or no longer kept. */
  readonly partial: boolean
  /** Time of the oldest data used; null if there is none. */
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

/** An entry that counted. */
export interface CountedScoreEntry {
  /** The part that it belongs to. */
  readonly part: "fit" | "interest"
  /** Name of the entry. */
  readonly name: string
  /** What it added, after fading. */
  readonly points: number
  /** Why it counts, as a code with its details. */
  readonly reason: ScoreReason
}

/** What an erasure did, without anything about the person. */
export interface ErasureReceipt {
  /** Id of the erasure. */
  readonly id: string
  /** When the person was erased here. */
  readonly requestedAt: string
  /** When the last destination had answered; null while one is pending. */
  readonly completedAt: string | null
  /** What was deleted. */
  readonly kinds: ReadonlyArray<{
    /** Kind of data, such as `sessions`. */
    readonly kind: string
    /** How many there were. */
    readonly count: number
  }>
  /** Destinations that had the person. */
  readonly destinations: ReadonlyArray<{
    /** Id of the destination. */
    readonly destinationId: string
    /** Its name at that time. */
    readonly name: string
    /**
     * `deleted`: the service deleted the person. `removed`: it no longer had them. `told`: the webhook got the event.
     * `kept`: the destination is configured to keep them, or its webhook does not take the event. `failed`: it did not
     * answer for 7 days, or was deleted meanwhile.
     */
    readonly outcome: "pending" | "deleted" | "removed" | "told" | "kept" | "failed"
    /** When it had that outcome. */
    readonly at: string
  }>
}

/** A topic and its scores. */
export interface VisitorTopic {
  /** Id of the topic. */
  readonly topicId: number
  /** Its name. */
  readonly topicName: string
  /** Score on the newest data date, 1 to 100; null without one. */
  readonly score: number | null
  /** Score on the data date before; null without one. */
  readonly previousScore: number | null
}

/** Where an email address comes from. */
export interface AddressOrigin {
  /** SHA-256 of the address. */
  readonly emailHash: string
  /** The address; null if only its hash is known. */
  readonly email: string | null
  /** Where the address comes from. */
  readonly origin: Origin
  /** Where a visitor's data comes from. */
  readonly source: string | null
  /** How the first event named the address; null unless that event is still stored. */
  readonly way: "identify" | "form" | "mail_link" | null
  /** The pixel that received it, if one did. */
  readonly pixelId: string | null
  /** When a visit first included this address; null if none did. */
  readonly firstSeenAt: string | null
}

/** Where a profile value comes from. */
export interface ValueOrigin {
  /** The field's name, for example `jobTitle`. */
  readonly field: string
  /** Where the value comes from. */
  readonly origin: Origin
  /** Where a visitor's data comes from. */
  readonly source: string | null
}

/** First touch, last touch and sessions within the requested window and pixel scope. */
export interface Journey {
  /** How the first session in the window and scope began. */
  readonly firstTouch: Touch | null
  /** How the last session in the window and scope began. */
  readonly lastTouch: Touch | null
  /** Newest first, at most 50. */
  readonly sessions: ReadonlyArray<SessionSummary>
}

/** The reason of a score that adds most. */
export interface TopScoreReason {
  /** The part that its entry belongs to. */
  readonly part: "fit" | "interest"
  /** What the entry's rule asks for; `rule` if it is anything that no other code says. */
  readonly code:
    | "visited_path"
    | "visited_pricing"
    | "visited_demo"
    | "visits"
    | "pageviews"
    | "active_days"
    | "submitted_form"
    | "event"
    | "last_seen"
    | "researches"
    | "seniority"
    | "department"
    | "industry"
    | "country"
    | "company_size"
    | "company_known"
    | "business_email"
    | "rule"
  /** Details of the code. */
  readonly params: ScoreReasonParams
  /** What it added, after fading. */
  readonly points: number
}

/** Why an entry counts, for a program to say in its reader's language. */
export interface ScoreReason {
  /** What the entry's rule asks for; `rule` if it is anything that no other code says. */
  readonly code:
    | "visited_path"
    | "visited_pricing"
    | "visited_demo"
    | "visits"
    | "pageviews"
    | "active_days"
    | "submitted_form"
    | "event"
    | "last_seen"
    | "researches"
    | "seniority"
    | "department"
    | "industry"
    | "country"
    | "company_size"
    | "company_known"
    | "business_email"
    | "rule"
  /** Details of the code. */
  readonly params: ScoreReasonParams
}

/** Where a value comes from. `email_domain`: the company domain of a business email address. */
export type Origin =
  | "visit"
  | "import"
  | "shared_import"
  | "identity_link"
  | "vendor"
  | "resolver"
  | "email_domain"

/** How a session started. */
export interface Touch {
  /** Start of the session. ISO 8601, UTC, milliseconds. */
  readonly at: string
  /** Path of the entry page. */
  readonly path: string | null
  /** Host of the external referrer, without `www.`. */
  readonly referrerDomain: string | null
  /** Campaign parameters of the entry page. */
  readonly utmSource: string | null
  /** From the same page as `utmSource`. */
  readonly utmMedium: string | null
  /** From the same page as `utmSource`. */
  readonly utmCampaign: string | null
  /** From the same page as `utmSource`. */
  readonly utmTerm: string | null
  /** From the same page as `utmSource`. */
  readonly utmContent: string | null
  /** What the referrer and the campaign parameters say. */
  readonly channel: Channel
}

/** Details of a reason. Each code has its own. */
export interface ScoreReasonParams {
  /** The path filter, of `visited_path`. */
  readonly path?: string
  /** The event, of `event`; the name of the entry, of `rule`. */
  readonly name?: string
  /** The rule asks for at least so many. */
  readonly count?: number
  /** The rule asks for one of these. */
  readonly values?: ReadonlyArray<string>
  /** The rule asks for at least so many employees. */
  readonly min?: number
  /** The rule asks for at most so many employees. */
  readonly max?: number
  /** The topic, of `researches`; absent for any topic. */
  readonly topicId?: number
  /** The rule asks for at least this intent score. */
  readonly score?: number
  /** When they were last here. Only for entries of interest, whose points fade since then. */
  readonly at?: string
}
