// Names and values of audience filters, as people read them.
import type { AudienceFilter } from "@footfall/sdk"

export const filterNames: Readonly<Record<AudienceFilter, string>> = {
  seniority: "Seniority",
  department: "Department",
  jobTitle: "Job title contains",
  companyIndustry: "Industry",
  companySize: "Employees",
  companyRevenueRange: "Revenue in US dollars",
  companyName: "Company name contains",
  companyDomain: "Company domain",
  state: "State or region",
  ageRange: "Age",
  gender: "Gender",
  isB2b: "Works in B2B",
  hasBusinessEmail: "Business address",
  hasPersonalEmail: "Personal address",
  hasPhone: "Phone number",
  hasLinkedin: "LinkedIn profile",
}

export const filtersOrder = Object.keys(filterNames) as ReadonlyArray<AudienceFilter>

/** Values whose words are not the value itself. */
const values = new Map([
  ["seniority vp", "VP"],
  ["seniority c_suite", "C-suite"],
  ["gender M", "male"],
  ["gender F", "female"],
  ["gender U", "not known"],
  ["isB2b y", "yes"],
  ["isB2b n", "no"],
])

export const filterValueWords = (filter: AudienceFilter, value: string | boolean): string => {
  if (typeof value === "boolean") return value ? "known" : "not known"
  return values.get(`${filter} ${value}`) ?? value.replaceAll("_", " ")
}
