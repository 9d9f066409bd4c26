// A person and their visits in the model of rules, without derived values.
import type { PropertyValue } from "../../../src/collect/visits/batch.ts"

export interface Visit {
  /** Index in the list of the tenant's pixels. */
  readonly pixel: number
  /** Epoch milliseconds, like all times here. */
  readonly startedAt: number
  readonly endedAt: number
  readonly activeSeconds: number | null
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  readonly formSubmissions: number
  /** Addresses. The first is the entry, the last the exit. */
  readonly urls: ReadonlyArray<string>
  /** How often each of them was viewed. */
  readonly views: ReadonlyArray<number>
  /** Custom events. */
  readonly events: ReadonlyArray<SentEvent>
  /** Stored by version 0.2, which counted neither. */
  readonly isUncounted: boolean
  readonly referrerDomain: string | null
  readonly channel: string
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly utmTerm: string | null
  readonly utmContent: string | null
  readonly clickIds: ReadonlyArray<string>
}

export interface SentEvent {
  readonly name: string
  readonly properties: Readonly<Record<string, PropertyValue>>
}

export interface Profile {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly company_name: string | null
  readonly company_domain: string | null
  readonly industry: string | null
  readonly company_zip_code: string | null
  readonly company_employee_count: number | null
  readonly company_total_revenue: string | null
  readonly job_title: string | null
  readonly seniority: string | null
  readonly department: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly linkedin_url: string | null
  readonly phones: ReadonlyArray<string>
  readonly phones_dnc: ReadonlyArray<boolean> | null
}

export interface StoredScore {
  readonly total: number
  readonly fit: number
  readonly interest: number
}

export interface Person {
  readonly id: string
  readonly email: string | null
  readonly otherAddress: { readonly email: string; readonly kind: "business" | "personal" } | null
  readonly kind: "business" | "personal"
  readonly suppressed: boolean
  readonly heldBack: boolean
  /** Whether their company is in the list of companies. */
  readonly companyIsListed: boolean
  /** Which of their addresses is in the list of people. */
  readonly listedAddress: "first" | "other" | null
  readonly profile: Profile
  /** What was computed last, of the person and of their company. */
  readonly score: StoredScore | null
  readonly companyScore: StoredScore | null
  /** Ids of members, of the person and of their company. */
  readonly owner: string | null
  readonly companyOwner: string | null
  readonly tags: ReadonlyArray<string>
  readonly companyTags: ReadonlyArray<string>
  /** Scores by topic, as a worker found them. */
  readonly topics: ReadonlyArray<readonly [topicId: number, score: number]>
  /** By pixel: `[value, time]` by key. */
  readonly attribution: ReadonlyArray<Readonly<Record<string, readonly [string, number]>>>
  /** At least one. */
  readonly visits: ReadonlyArray<Visit>
  /** Visits from the network of their company. */
  readonly anonymousVisits: ReadonlyArray<Visit>
}

export interface Pixel {
  readonly id: string
  readonly domain: string
}

/** The scope and window of a rule. */
export interface Question {
  readonly pixels: ReadonlyArray<Pixel>
  /** Undefined means all of them. */
  readonly pixel: number | undefined
  /** Undefined means the whole history. */
  readonly from: number | undefined
  readonly asOf: number
  /** Of a company: the visits that count for its behavior, and what is known of it. */
  readonly counted?: ReadonlyArray<Visit>
  readonly company?: Readonly<Record<string, string | number | null>>
}
