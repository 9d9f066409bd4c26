// The importable fields of a person (spec 2.19), with their limits, their normal form and their column in `person`.
// Limits that the specification does not name are chosen here: lists of addresses or phones fit one person, and a
// text fits a line of a table.
import { companyRevenueRanges } from "../../collect/visits/revenue-range.ts"
import { normalizeDomain } from "@footfall/normal-form"
import { readCountry } from "../../collect/visits/country.ts"
import { normalizeEmail, normalizeEmailHash } from "../../collect/visits/email-address.ts"
import { type Field, flags, text, textList, wholeNumber } from "../imports/field.ts"
import {
  ageRanges,
  canonical,
  departments,
  emailStatuses,
  genders,
  seniorities,
  yesOrNo,
} from "./vocabulary.ts"

// Normalizes a phone number to E.164: a plus sign, the country code and at most 15 digits. Punctuation is dropped.
// A number without a country code is invalid, because it is ambiguous.

const normalizePhone = (text: string): string | undefined => {
  const phone = text.replaceAll(/[\s().\u2010-\u2015/-]/g, "").replace(/^00/, "+")
  return /^\+[1-9]\d{6,14}$/.test(phone) ? phone : undefined
}

export const emailsMax = 50
export const phonesMax = 20
const emailLengthMax = 320
const nameLengthMax = 255
const headlineLengthMax = 500
const urlLengthMax = 2_048
const domainLengthMax = 253
const employeesMax = 2_147_483_647

const lowerCase = (value: string) => value.toLowerCase()
const webAddress = (value: string) => {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`
  if (/\s/.test(address)) return undefined
  // A single regular expression takes quadratic time for a text of dots.
  const [, rest] = /^https?:\/\/(.*)$/is.exec(address) ?? []
  const dot = rest?.indexOf(".", 1) ?? -1
  return dot > 0 && dot < rest!.length - 1 && !/[/?#]/.test(rest!.slice(0, dot))
    ? address
    : undefined
}

/**
 * Caches the domains of the companies read last, because a file repeats few companies many times. Not in the
 * specification.
 */
const domainsMax = 10_000
const domains = new Map<string, string>()
const domain = (value: string) => {
  const known = domains.get(value)
  if (known !== undefined) return known
  if (domains.size >= domainsMax) domains.clear()
  const normal = normalizeDomain(value, domainLengthMax)
  if (normal !== undefined) domains.set(value, normal)
  return normal
}

/** The hash is the key, so it has no column that can change. */
export const hashField: Field = text(
  { path: "emailHash", column: "email_hash" },
  emailLengthMax,
  normalizeEmailHash,
)

const place = (path: string, column: string) => ({ path, column })
const email = (path: string, column: string) =>
  text(place(path, column), emailLengthMax, normalizeEmail)
const name = (path: string, column: string) => text(place(path, column), nameLengthMax)
const word = (path: string, column: string, values: ReadonlyArray<string>) =>
  text(place(path, column), nameLengthMax, canonical(values))

/** The fields with a column in `person`. Their order defines the bits of `cleared`. */
export const personFields: ReadonlyArray<Field> = [
  email("email", "email"),
  textList(
    place("emails", "emails"),
    { itemsMax: emailsMax, lengthMax: emailLengthMax },
    normalizeEmail,
  ),
  email("businessEmail", "business_email"),
  email("personalEmail", "personal_email"),
  word("emailStatus", "email_status", emailStatuses),
  name("firstName", "first_name"),
  name("lastName", "last_name"),
  textList(
    place("phones", "phones"),
    { itemsMax: phonesMax, lengthMax: nameLengthMax },
    normalizePhone,
  ),
  flags(place("phonesDnc", "phones_dnc"), phonesMax),
  text(place("linkedinUrl", "linkedin_url"), urlLengthMax, webAddress),
  text(place("headline", "headline"), headlineLengthMax),
  name("jobTitle", "job_title"),
  word("seniority", "seniority", seniorities),
  word("department", "department", departments),
  name("company.name", "company_name"),
  text(place("company.domain", "company_domain"), urlLengthMax, domain),
  text(place("company.industry", "industry"), nameLengthMax, lowerCase),
  text(place("company.industryGroup", "company_industry_group"), nameLengthMax, lowerCase),
  wholeNumber(place("company.employeeCount", "company_employee_count"), {
    minimum: 0,
    maximum: employeesMax,
  }),
  word("company.revenueRange", "company_total_revenue", companyRevenueRanges),
  name("company.zipCode", "company_zip_code"),
  text(place("company.linkedinUrl", "company_linkedin_url"), urlLengthMax, webAddress),
  name("geo.city", "city"),
  name("geo.state", "state"),
  text(place("geo.country", "country"), nameLengthMax, readCountry),
  word("demographics.ageRange", "age_range", ageRanges),
  word("demographics.gender", "gender", genders),
  word("isB2b", "is_b2b", yesOrNo),
]

/** Returns the index of the field with this path. */
export const placeOf = (path: string): number =>
  personFields.findIndex((field) => field.path === path)

/** The company fields that a visitor has. */
export const companyFields: ReadonlyArray<Field> = personFields.filter(
  ({ path }) => path.startsWith("company.") && path !== "company.industryGroup",
)
