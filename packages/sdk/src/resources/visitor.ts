// An identified visitor: one person, all known aliases taken together.
// Lists are empty and scalars null where nothing is known; no documented field is ever absent.
// Source: spec 2.1.

import type { Journey } from "./journey.ts"

/** A visitor as the list returns it: the canonical fields and their legacy aliases. */
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
  /** Attributes of the script URL, merged over the events in scope; the last value counts. */
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

  /** Counted inside the requested window and pixel scope, as are the three counts below. */
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  /** First event inside the pixel scope, over the whole history. */
  readonly firstSeenAt: string
  /** Last event inside the pixel scope, over the whole history. */
  readonly lastSeenAt: string

  /** First page of the earliest session in window and scope, without query and fragment. */
  readonly landingPage: string | null
  /** Distinct pages in window and scope, most recent first, at most 100. */
  readonly visitedPages: ReadonlyArray<string>
  /** Origin and path of the first external referrer. */
  readonly referrer: string | null
  /** Host of `referrer`, without `www.`. */
  readonly referrerDomain: string | null

  /** Of the last touch that was not direct, as are the four below. At most 255 characters. */
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly utmTerm: string | null
  readonly utmContent: string | null

  /** Last value in window and scope, not older than 90 days, as are the five below. */
  readonly gclid: string | null
  readonly fbclid: string | null
  readonly bingClickId: string | null
  readonly linkedinClickId: string | null
  readonly googleGbraid: string | null
  readonly googleWbraid: string | null

  /** True while a suppression rule matches the visitor. */
  readonly suppressed: boolean
}

/** The answer of a look-up by email: the visitor and the way they took. */
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
