// The options of the filters of an audience. Which values there are is for the server to say, which
// knows them all and tells them in its refusal.

import type { AudienceFilter } from "@footfall/sdk"
import { Option, type Command } from "commander"

/** One option, the filter it sets, and what the filter is made of. */
interface FilterOption {
  readonly flags: string
  readonly filter: AudienceFilter
  readonly about: string
  /** Default: the value as it was given. */
  readonly value?: (given: unknown) => unknown
}

/** Several values with commas; none of these vocabularies has one in a value. */
const several = (given: unknown): ReadonlyArray<string> => splitValues(String(given))

/** What stands between commas. */
export const splitValues = (given: string): ReadonlyArray<string> =>
  given
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "")

const possession = (noun: string, filter: AudienceFilter): ReadonlyArray<FilterOption> => [
  { flags: `--has-${noun}`, filter, about: "only people with one", value: () => true },
  { flags: `--without-${noun}`, filter, about: "only people without one", value: () => false },
]

/** Source: spec 2.9. */
const filterOptions: ReadonlyArray<FilterOption> = [
  // An industry may have a comma in its name.
  {
    flags: "--industry <label...>",
    filter: "companyIndustry",
    about: "of the company; see: footfall audiences filters companyIndustry",
  },
  {
    flags: "--seniority <values>",
    filter: "seniority",
    about: "for example vp,c_suite",
    value: several,
  },
  {
    flags: "--company-size <values>",
    filter: "companySize",
    about: "employees, for example 51-200,201-500",
    value: several,
  },
  {
    flags: "--department <values>",
    filter: "department",
    about: "for example operations,finance",
    value: several,
  },
  {
    flags: "--state <state>",
    filter: "state",
    about: "a US state by code or name, or another region",
  },
  {
    flags: "--revenue <values>",
    filter: "companyRevenueRange",
    about: "of the company, for example '1 billion and over'",
    value: several,
  },
  { flags: "--age <values>", filter: "ageRange", about: "for example 35-44,45-54", value: several },
  { flags: "--gender <value>", filter: "gender", about: "M, F, or U for unknown" },
  { flags: "--b2b <y|n>", filter: "isB2b", about: "whether the person is a business contact" },
  {
    flags: "--job-title <text>",
    filter: "jobTitle",
    about: "part of the title; commas separate alternatives",
  },
  { flags: "--company-domain <domain>", filter: "companyDomain", about: "the whole domain" },
  { flags: "--company-name <text>", filter: "companyName", about: "part of the name" },
  ...possession("phone", "hasPhone"),
  ...possession("linkedin", "hasLinkedin"),
  ...possession("business-email", "hasBusinessEmail"),
  ...possession("personal-email", "hasPersonalEmail"),
]

/** Adds an option for each filter. */
export const addFilterOptions = (command: Command): Command => {
  for (const { flags, filter, about } of filterOptions) {
    const rivals = filterOptions.filter((other) => other.filter === filter && other.flags !== flags)
    command.addOption(new Option(flags, about).conflicts(rivals.map((rival) => keyOf(rival))))
  }
  return command
}

/** The filters that were given, by their names. */
export const givenFilters = (
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    filterOptions.flatMap((option) => {
      const given = options[keyOf(option)] // own keys: the names that commander gives our options.
      if (given === undefined) return []
      return [[option.filter, option.value === undefined ? given : option.value(given)]]
    }),
  )

/** What commander calls the option. */
const keyOf = ({ flags }: FilterOption): string => new Option(flags).attributeName()
