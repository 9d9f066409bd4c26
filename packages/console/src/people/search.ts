// URL search parameters of the people list.
import type { SuppressedFilter } from "@footfall/sdk"
import { readRuleSearch, type RuleSearch } from "../segments/search.ts"
import type { Choice } from "../ui/field.tsx"

export const suppressedChoices: ReadonlyArray<Choice<SuppressedFilter>> = [
  { value: "include", text: "All people" },
  { value: "exclude", text: "Not suppressed" },
  { value: "only", text: "Suppressed" },
]

export interface PeopleSearch extends RuleSearch {
  /** Segment id; the list shows the people it matches. */
  readonly segment?: string | undefined
  readonly suppressed?: SuppressedFilter | undefined
  /** Part of a company name, domain or job title, or a full email address, which searches everyone. */
  readonly q?: string | undefined
}

/** Whether the text is a full email address. */
export const isAddress = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text)

export const readPeopleSearch = (search: Record<string, unknown>): PeopleSearch => {
  const { q, segment } = search
  const suppressed = suppressedChoices.find(({ value }) => value === search["suppressed"])?.value
  const isOfOne = typeof q === "string" && isAddress(q)
  return {
    ...(!isOfOne && readRuleSearch(search)),
    ...(!isOfOne && typeof segment === "string" && segment !== "" && { segment }),
    ...(suppressed !== undefined && suppressed !== "include" && { suppressed }),
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
  }
}
