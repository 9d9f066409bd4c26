// A person's data besides addresses, by the columns that `visitor` and `person` share. An imported value wins over an
// existing one, and that over a trait: traits only fill empty fields (spec 6.7).
import { registrableDomain } from "@footfall/normal-form"
import type { Traits } from "../../collect/visits/traits.ts"
import { normalizeRegion } from "../person/region.ts"

export const profileColumns = [
  "first_name",
  "last_name",
  "linkedin_url",
  "phones",
  "phones_dnc",
  "job_title",
  "seniority",
  "department",
  "company_name",
  "company_domain",
  "company_linkedin_url",
  "company_employee_count",
  "company_total_revenue",
  "company_zip_code",
  "industry",
  "city",
  "state",
  "country",
] as const

type ProfileValue = string | number | ReadonlyArray<string> | ReadonlyArray<boolean> | null
export type Profile = Readonly<Partial<Record<(typeof profileColumns)[number], ProfileValue>>>

/** Each field comes from the first profile that has it; do-not-call flags come with their phones. */
export const firstOf = (profiles: ReadonlyArray<Profile>): Profile => {
  const phones = profiles.find(({ phones }) => !isEmpty(phones))
  const fields = profileColumns.map((column) => [
    column,
    profiles.find((profile) => !isEmpty(profile[column]))?.[column] ?? null,
  ])
  return {
    ...Object.fromEntries(fields),
    phones: phones?.phones ?? [],
    phones_dnc: phones?.phones_dnc ?? null,
  }
}

export const profileOfTraits = (traits: Traits): Profile => ({
  first_name: traits.firstName ?? null,
  last_name: traits.lastName ?? null,
  job_title: traits.jobTitle ?? null,
  company_name: traits.companyName ?? null,
  company_domain: traits.companyDomain ?? null,
  industry: traits.industry ?? null,
  company_employee_count: traits.employeeCount ?? null,
  phones: traits.phone === undefined ? [] : [traits.phone],
})

/** What a vendor sends has more fields than other traits. */ // spec 15.3.6
export const profileOfVendor = (traits: Traits): Profile => ({
  ...profileOfTraits(traits),
  linkedin_url: traits.linkedinUrl ?? null,
  company_total_revenue: traits.revenueRange ?? null,
  company_zip_code: traits.zipCode ?? null,
  city: traits.city ?? null,
  state: traits.state === undefined ? null : normalizeRegion(traits.state, traits.country),
  country: traits.country ?? null,
})

/** The company a person belongs to: the registrable part of their company domain. */ // spec 13.1
export const companyKeyOf = ({ company_domain: domain }: Profile): string | null =>
  typeof domain === "string" ? (registrableDomain(domain) ?? null) : null

/** Drops empty fields. */
export const withoutEmpty = (profile: Profile): Profile =>
  Object.fromEntries(Object.entries(profile).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: ProfileValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0)

/** An imported person's record, as identification reads it. The addresses are normalized. */
export interface Person {
  /** The organization's, or that of shared records. */
  readonly organizationId: string
  /** Key of the record: SHA-256 of its email. */
  readonly emailHash: string
  readonly email: string | null
  readonly emails: ReadonlyArray<string>
  readonly businessEmail: string | null
  readonly personalEmail: string | null
  readonly profile: Profile
}
