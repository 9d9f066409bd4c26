// A visitor as the store reads it: stored columns, and totals of its sessions within window and scope. A plain type
// instead of a schema: the busiest route reads fifty per page, and decoding them takes a
// millisecond. The black-box tests check responses against the API's schema.
import type { ListKey } from "../../platform/database/lists.ts"
import type { TopReason } from "./score-reason.ts"

export interface VisitorRow {
  readonly email: string | null
  readonly emailHash: string
  readonly sha1: string | null
  readonly md5: string | null
  /** Known addresses, the primary one first; empty for a person known only by hash. */
  readonly addresses: ReadonlyArray<{ readonly email: string; readonly kind: string }>
  readonly phones: ReadonlyArray<string>
  readonly phonesDnc: ReadonlyArray<boolean> | null
  readonly customAttribution: Readonly<Record<string, string>>
  readonly firstName: string | null
  readonly lastName: string | null
  readonly linkedinUrl: string | null
  readonly companyName: string | null
  readonly companyDomain: string | null
  readonly companyLinkedinUrl: string | null
  readonly companyEmployeeCount: number | null
  readonly companyTotalRevenue: string | null
  readonly industry: string | null
  readonly companyZipCode: string | null
  readonly jobTitle: string | null
  readonly seniority: string | null
  readonly department: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly landingPage: string | null
  readonly visitedPages: ReadonlyArray<string>
  readonly referrer: string | null
  readonly referrerDomain: string | null
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly utmTerm: string | null
  readonly utmContent: string | null
  /** Click ids by query parameter: the latest value of the last 90 days. */
  readonly clickIds: Readonly<Record<string, string>>
  readonly suppressed: boolean
  /** Null for someone suppressed, or not computed yet. */
  readonly score: ListedScore | null
  /** Null if no member looks after them. */
  readonly owner: ListedOwner | null
  /** In their order without case. */
  readonly tags: ReadonlyArray<string>
  /** Its place in a list by score. */
  readonly scoreKey?: ListKey
}

/** A member of the organization. */
export interface ListedOwner {
  readonly id: string
  /** Null until the member has accepted the invitation. */
  readonly name: string | null
  readonly email: string
}

export interface ListedScore {
  readonly total: number
  readonly fit: number
  readonly interest: number
  readonly hot: boolean
  readonly top: TopReason | null
}
