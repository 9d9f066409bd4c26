// An audience's filters as conditions on a person's fields (spec 2.9). Fields are combined with AND, the values of one
// field with OR. An unknown value matches nothing except a filter for missing contact data.
import { foldCase } from "../../../platform/database/case-folding.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { escapePattern } from "../../../people/visitors/query/tests.ts"
import { type AudienceFilters, employeesOf } from "../config.ts"
import type { ProfileField } from "./profile.ts"

interface Condition {
  readonly name: keyof AudienceFilters
  readonly reads: ProfileField
  /** Uses columns of `known`. */
  readonly test: SqlText
}

type Test = Omit<Condition, "name">

type Compiled<Name extends keyof AudienceFilters> = (
  wanted: NonNullable<AudienceFilters[Name]>,
) => Test

const isOneOf =
  (reads: ProfileField) =>
  (wanted: ReadonlyArray<string>): Test => ({
    reads,
    test: sqlText`${known(reads)} = any (${wanted}::text[])`,
  })

const isOneOfInAnyCase =
  (reads: ProfileField) =>
  (wanted: ReadonlyArray<string>): Test => ({
    reads,
    test: sqlText`fold_case(${known(reads)}) = any (${wanted.map(foldCase)}::text[])`,
  })

const containsOneOf =
  (reads: ProfileField) =>
  (wanted: string): Test => ({
    reads,
    test: sqlText`fold_case(${known(reads)}) like any (${alternatives(wanted).map(
      (text) => `%${escapePattern(foldCase(text))}%`,
    )}::text[])`,
  })

const has =
  (reads: ProfileField) =>
  (wanted: boolean): Test => ({
    reads,
    test: wanted ? known(reads) : sqlText`not ${known(reads)}`,
  })

const known = (field: ProfileField) => SqlText.of(`known.${field}`)

/** Commas separate alternatives. */
const alternatives = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

const companySize: Compiled<"companySize"> = (wanted) => ({
  reads: "company_employee_count",
  test: sqlText`(${SqlText.join(
    wanted.map((size) => {
      const [least, most] = employeesOf(size)
      return sqlText`known.company_employee_count between ${least}::integer and ${most}::integer`
    }),
    " or ",
  )})`,
})

const compilers: { readonly [Name in keyof AudienceFilters]-?: Compiled<Name> } = {
  companyIndustry: isOneOfInAnyCase("industry"),
  seniority: isOneOf("seniority"),
  companySize,
  department: isOneOf("department"),
  state: (wanted) => isOneOfInAnyCase("state")([wanted]),
  companyRevenueRange: isOneOf("company_total_revenue"),
  ageRange: isOneOf("age_range"),
  gender: (wanted) => isOneOf("gender")([wanted]),
  isB2b: (wanted) => isOneOf("is_b2b")([wanted]),
  jobTitle: containsOneOf("job_title"),
  companyDomain: (wanted) => isOneOf("company_domain")([wanted]),
  companyName: containsOneOf("company_name"),
  hasBusinessEmail: has("has_business_email"),
  hasPersonalEmail: has("has_personal_email"),
  hasLinkedin: has("has_linkedin"),
  hasPhone: has("has_phone"),
}

/** One condition per active filter. */
export const filterConditions = (filters: AudienceFilters): ReadonlyArray<Condition> =>
  Object.entries(filters).map(([key, wanted]) => {
    const name = key as keyof AudienceFilters // own key: the filter schema allows only these names
    return { name, ...(compilers[name] as (wanted: unknown) => Test)(wanted) }
  })
