// The values that filters accept: closed vocabularies in full and in order, open ones as they occur in the
// organization's data, alphabetically (spec 2.9, 5.8).
import { companyRevenueRanges } from "../../../collect/visits/revenue-range.ts"
import { Schema } from "effect"
import {
  ageRanges,
  departments,
  genders,
  seniorities,
  yesOrNo,
} from "../../../people/person/vocabulary.ts"
import { companySizes } from "../config.ts"

/** Null marks an open vocabulary. */
const vocabularies = {
  companyIndustry: null,
  seniority: seniorities,
  companySize: companySizes,
  department: departments,
  state: null,
  companyRevenueRange: companyRevenueRanges,
  ageRange: ageRanges,
  gender: genders,
  isB2b: yesOrNo,
} as const satisfies Readonly<Record<string, ReadonlyArray<string> | null>>

export type FilterName = keyof typeof vocabularies

// the keys of an object literal are those of its type
export const filterNames = Object.keys(vocabularies) as ReadonlyArray<FilterName>

/** How many people have a value. */
export interface ValueCount {
  readonly filter: FilterName
  readonly value: string
  readonly count: number
}

export const CountedValue = Schema.Struct({
  value: Schema.String,
  label: Schema.String,
  count: Schema.Int,
}).annotate({ identifier: "FilterValue" })

export type FilterValues = Readonly<Record<FilterName, ReadonlyArray<typeof CountedValue.Type>>>

/** Adds up the counts of each value. Values without people are left out. */
export const filterValues = (counts: ReadonlyArray<ValueCount>): FilterValues => {
  const found = new Map<FilterName, Map<string, number>>(
    filterNames.map((name) => [
      name,
      new Map((vocabularies[name] ?? []).map((value) => [value, 0] as const)),
    ]),
  )
  for (const { count, filter, value } of counts) {
    const values = found.get(filter)!
    const isPossible = vocabularies[filter] === null || values.has(value)
    if (isPossible) values.set(value, (values.get(value) ?? 0) + count)
  }
  return forEachFilter((name) => listed(name, found.get(name)!))
}

export const forEachFilter = <Value>(
  valueOf: (name: FilterName) => Value,
): Readonly<Record<FilterName, Value>> =>
  // one entry per name
  Object.fromEntries(filterNames.map((name) => [name, valueOf(name)] as const)) as Record<
    FilterName,
    Value
  >

const listed = (name: FilterName, values: ReadonlyMap<string, number>) => {
  // An import between two counts may subtract people who were never counted.
  const all = [...values].map(([value, count]) => ({
    value,
    label: labelOf(name, value),
    count: Math.max(0, count),
  }))
  return vocabularies[name] === null
    ? all
        .filter(({ count }) => count > 0)
        .toSorted((one, other) => (one.value < other.value ? -1 : 1))
    : all
}

/** Labels for values that need more than a capital letter. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    c_suite: "C-suite",
    vp: "VP",
    M: "Male",
    F: "Female",
    U: "Unknown",
    y: "Business contact",
    n: "Consumer",
  }),
)

const labelOf = (name: FilterName, value: string): string =>
  name === "state" ? value : (labels.get(value) ?? value.charAt(0).toUpperCase() + value.slice(1))
