// Audience filters. A person must match every filter that is set. In a list, one matching value is enough. spec 2.9

/** Audience filters. An empty list or null means no filter. A person whose value is unknown matches no filter on it. */
export interface AudienceFilters {
  /** Lower-case labels as listed by `audiences.filters`. A label that does not occur matches no one. */
  readonly companyIndustry?: ReadonlyArray<string> | null | undefined
  readonly seniority?: ReadonlyArray<Seniority> | null | undefined
  readonly companySize?: ReadonlyArray<CompanySize> | null | undefined
  readonly department?: ReadonlyArray<Department> | null | undefined
  /** A US state by code or name, or a region of another country. */
  readonly state?: string | null | undefined
  readonly companyRevenueRange?: ReadonlyArray<CompanyRevenueRange> | null | undefined
  readonly ageRange?: ReadonlyArray<AgeRange> | null | undefined
  readonly gender?: Gender | null | undefined
  readonly isB2b?: "y" | "n" | null | undefined
  /** Part of the title; commas separate alternatives. At most 200 characters. */
  readonly jobTitle?: string | null | undefined
  /** True: only people with a business email. False: only people without one. */
  readonly hasBusinessEmail?: boolean | null | undefined
  /** Like `hasBusinessEmail`. */
  readonly hasPersonalEmail?: boolean | null | undefined
  /** Like `hasBusinessEmail`. */
  readonly hasLinkedin?: boolean | null | undefined
  /** Like `hasBusinessEmail`. */
  readonly hasPhone?: boolean | null | undefined
  /** The complete domain. At most 255 characters. */
  readonly companyDomain?: string | null | undefined
  /** Part of the name. At most 255 characters. */
  readonly companyName?: string | null | undefined
}

/** The name of a filter. */
export type AudienceFilter = keyof AudienceFilters

export type Seniority =
  | "owner"
  | "founder"
  | "c_suite"
  | "partner"
  | "vp"
  | "head"
  | "director"
  | "manager"
  | "senior"
  | "entry"
  | "intern"

/** Number of employees. */
export type CompanySize =
  | "1-10"
  | "11-50"
  | "51-200"
  | "201-500"
  | "501-1000"
  | "1001-5000"
  | "5001-10000"
  | "10001+"

export type Department =
  | "accounting"
  | "administrative"
  | "arts and design"
  | "business development"
  | "community and social services"
  | "consulting"
  | "customer success and support"
  | "education"
  | "engineering"
  | "entrepreneurship"
  | "finance"
  | "healthcare services"
  | "human resources"
  | "information technology"
  | "legal"
  | "marketing"
  | "media and communication"
  | "military and protective services"
  | "operations"
  | "product management"
  | "program and project management"
  | "purchasing"
  | "quality assurance"
  | "real estate"
  | "research"
  | "sales"

/** Annual revenue in US dollars. */
export type CompanyRevenueRange =
  | "under 1 million"
  | "1 million to 5 million"
  | "5 million to 10 million"
  | "10 million to 25 million"
  | "25 million to 50 million"
  | "50 million to 100 million"
  | "100 million to 250 million"
  | "250 million to 500 million"
  | "500 million to 1 billion"
  | "1 billion and over"

export type AgeRange = "18-24" | "25-34" | "35-44" | "45-54" | "55-64" | "65 and older"

/** Male, female, unknown. */
export type Gender = "M" | "F" | "U"

/** The filters that accept a list of values. */
export type ListedAudienceFilter =
  | "companyIndustry"
  | "seniority"
  | "companySize"
  | "department"
  | "state"
  | "companyRevenueRange"
  | "ageRange"
  | "gender"
  | "isB2b"

/** The values of each filter. Filters with fixed values list all of them; industry and state list those that occur. */
export type AudienceFilterValues = Readonly<Record<ListedAudienceFilter, ReadonlyArray<string>>>

/** The values of each filter, with the number of people who have each value. */
export type AudienceFilterCounts = Readonly<
  Record<ListedAudienceFilter, ReadonlyArray<AudienceFilterCount>>
>

/** A filter value. */
export interface AudienceFilterCount {
  readonly value: string
  /** Display text, for example `VP`. */
  readonly label: string
  readonly count: number
}
