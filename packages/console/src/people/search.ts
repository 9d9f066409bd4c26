// What the address says about the list of people.
import type { SuppressedFilter } from "@footfall/sdk"
import { readRuleSearch, type RuleSearch } from "../segments/search.ts"
import type { Choice } from "../ui/field.tsx"

export const suppressedChoices: ReadonlyArray<Choice<SuppressedFilter>> = [
  { value: "include", text: "All people" },
  { value: "exclude", text: "Not suppressed" },
  { value: "only", text: "Suppressed" },
]

export interface PeopleSearch extends RuleSearch {
  /** Id of a segment: the list shows whom it matches. */
  readonly segment?: string | undefined
  readonly suppressed?: SuppressedFilter | undefined
  /** Part of a company's name or domain, or of a job title; or a whole address, which is looked for among everyone. */
  readonly q?: string | undefined
}

/** A whole one. */
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
