// The closed vocabularies for people and their companies, in canonical spelling, with the other spellings that an
// import may use. Case is ignored. Source: spec 2.9.

export const seniorities = [
  "owner",
  "founder",
  "c_suite",
  "partner",
  "vp",
  "head",
  "director",
  "manager",
  "senior",
  "entry",
  "intern",
] as const

export const departments = [
  "accounting",
  "administrative",
  "arts and design",
  "business development",
  "community and social services",
  "consulting",
  "customer success and support",
  "education",
  "engineering",
  "entrepreneurship",
  "finance",
  "healthcare services",
  "human resources",
  "information technology",
  "legal",
  "marketing",
  "media and communication",
  "military and protective services",
  "operations",
  "product management",
  "program and project management",
  "purchasing",
  "quality assurance",
  "real estate",
  "research",
  "sales",
] as const

export const ageRanges = ["18-24", "25-34", "35-44", "45-54", "55-64", "65 and older"] as const
export const genders = ["M", "F", "U"] as const
export const emailStatuses = ["valid", "catch_all", "unknown", "invalid"] as const
export const yesOrNo = ["y", "n"] as const

/** By canonical value. Source: spec 2.9, also for the import of `seniority`. */
const aliases: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.entries({
    c_suite: ["cxo"],
    entry: ["staff"],
    intern: ["training"],
    "65 and older": ["65+"],
    M: ["male"],
    F: ["female"],
    U: ["unknown"],
  }),
)

/** Returns the canonical spelling of a text, or undefined if it is not in the vocabulary. */
export const canonical = (
  values: ReadonlyArray<string>,
): ((text: string) => string | undefined) => {
  const spellings = new Map(
    values.flatMap((value) =>
      [value, ...(aliases.get(value) ?? [])].map((text) => [text.toLowerCase(), value] as const),
    ),
  )
  return (text) => spellings.get(text.toLowerCase())
}
