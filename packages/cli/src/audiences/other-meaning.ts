// Detects a filter or rule that matches no one because its word belongs to another field: `--industry logistics`, where
// logistics is an industry of topics.

import type {
  AudienceFilters,
  AudienceFilterValues,
  Footfall,
  RuleAst,
  RuleNode,
  TopicFacets,
} from "@footfall/sdk"

/** Filters with free values, and whether their values are listed. */
const openFilters = [
  { filter: "companyIndustry", isListed: true },
  { filter: "state", isListed: true },
  { filter: "jobTitle", isListed: false },
  { filter: "companyName", isListed: false },
] as const
type OpenFilter = (typeof openFilters)[number]

/** Filters that a word may belong to instead. */
const listedFilters = ["companyIndustry", "department", "seniority", "state"] as const

type Named = OpenFilter["filter"] | (typeof listedFilters)[number]

/** How to write a filter before its value. */
type Spelling = Readonly<Record<Named, string>>

const asOptions: Spelling = {
  companyIndustry: "--industry",
  state: "--state",
  jobTitle: "--job-title",
  companyName: "--company-name",
  department: "--department",
  seniority: "--seniority",
}

const asFields: Spelling = {
  companyIndustry: "company.industry eq",
  state: "contact.state eq",
  jobTitle: "company.job_title contains",
  companyName: "company.name contains",
  department: "company.department eq",
  seniority: "company.seniority eq",
}

/** The fields of rules, by the corresponding filters. */
const filterOfField: ReadonlyMap<string, OpenFilter["filter"]> = new Map([
  ["company.industry", "companyIndustry"],
  ["contact.state", "state"],
  ["company.job_title", "jobTitle"],
  ["company.name", "companyName"],
])

const SIMILAR_SHOWN = 3

/** Suggestions for the rule's values; empty if the organization has no audiences. */
export const meaningsOfRule = async (
  client: Pick<Footfall, "audiences" | "topics">,
  rule: RuleAst,
): Promise<ReadonlyArray<string>> => {
  const filters = filtersOf(rule)
  if (Object.keys(filters).length === 0) return []
  const [values, facets] = await Promise.all([
    client.audiences.filters().catch(() => undefined),
    client.topics.facets().catch(() => undefined),
  ])
  return values === undefined || facets === undefined
    ? []
    : otherMeanings(filters, values, facets, asFields)
}

/** The values that a rule requires in an open field, as filters. */
export const filtersOf = ({ rule }: RuleAst): AudienceFilters => {
  const words = Map.groupBy(filtersIn(rule), ({ filter }) => filter)
  return Object.fromEntries(
    [...words].map(([filter, all]) => [filter, all.map(({ word }) => word)]),
  )
}

/** Operators that compare a field with a value. */
const likeOperators: ReadonlySet<string> = new Set([
  "eq",
  "in",
  "contains",
  "starts_with",
  "ends_with",
])

const filtersIn = (
  node: RuleNode,
): ReadonlyArray<{ readonly filter: OpenFilter["filter"]; readonly word: string }> => {
  if (node.field === undefined) return (node.all ?? node.any ?? []).flatMap(filtersIn)
  const filter = filterOfField.get(node.field)
  if (filter === undefined || !likeOperators.has(node.op)) return []
  return [node.value].flat().map((value) => ({ filter, word: String(value) }))
}

/** One line for each value that belongs to another field. */
export const otherMeanings = (
  filters: AudienceFilters,
  values: AudienceFilterValues,
  facets: Pick<TopicFacets, "industries">,
  spelling: Spelling = asOptions,
): ReadonlyArray<string> =>
  openFilters.flatMap((open) =>
    wordsOf(filters[open.filter]).flatMap((word) =>
      meaningOf({ open, word, spelling }, values, facets),
    ),
  )

const wordsOf = (given: unknown): ReadonlyArray<string> => {
  const texts = Array.isArray(given) ? given : typeof given === "string" ? given.split(",") : []
  return texts.map((text) => String(text).trim()).filter((text) => text !== "")
}

const meaningOf = (
  {
    open,
    spelling,
    word,
  }: { readonly open: OpenFilter; readonly spelling: Spelling; readonly word: string },
  values: AudienceFilterValues,
  { industries }: Pick<TopicFacets, "industries">,
): ReadonlyArray<string> => {
  const target = comparable(word)
  const has = (list: ReadonlyArray<string>): string | undefined =>
    list.find((value) => comparable(value) === target)
  const own = open.isListed ? values[open.filter] : []
  if (has(own) !== undefined) return []
  const otherFilters = listedFilters.flatMap((filter) => {
    const value = filter === open.filter ? undefined : has(values[filter])
    return value === undefined ? [] : [`${spelling[filter]} ${quoted(value)}`]
  })
  const ofTopics = has(industries.map(({ value }) => value))
  const similar = own.filter((value) => comparable(value).includes(target)).slice(0, SIMILAR_SHOWN)
  const advice = [
    ...(otherFilters.length === 0
      ? []
      : [`another filter has this value: ${otherFilters.join(", ")}`]),
    ...(ofTopics === undefined
      ? []
      : [`topics have this industry: footfall topics list --industry ${quoted(ofTopics)}`]),
    ...(similar.length === 0
      ? []
      : [`similar values: ${similar.map((value) => quoted(value)).join(", ")}`]),
  ]
  return advice.length === 0
    ? []
    : [
        `${open.isListed ? "No one has" : "You gave"} ${spelling[open.filter]} ${quoted(word)}; ${advice.join("; ")}.`,
      ]
}

const comparable = (text: string): string => text.toLowerCase().replaceAll("_", " ").trim()

const quoted = (text: string): string => (/^[\w.-]+$/.test(text) ? text : `'${text}'`)
