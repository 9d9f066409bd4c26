// The rows of the list: all people, those of a segment or a rule, or those a search finds.
import type { PagedList, PageMeta, Qualification, RuleAst, Visitor } from "@footfall/sdk"
import { useSearch } from "@tanstack/react-router"
import { useScope } from "../frame/scope.ts"
import { footfall } from "../session/session.ts"
import { usePages } from "../ui/pages.ts"
import type { PeopleSearch } from "./search.ts"

type Meta = PageMeta & { readonly total: number | null }

/** Reads the list from a cursor on. */
export type AskPeople = (
  cursor: string | undefined,
  signal: AbortSignal,
) => PagedList<Visitor, Meta>

export const usePeople = () => {
  const { q, rule, segment, suppressed = "include" } = useSearch({ from: "/signed/people" })
  const { isReady, pixelId, site, timeframe } = useScope()
  const qualification = qualificationOf({ q, rule, segment })
  const ask: AskPeople = (cursor, signal) =>
    qualification === undefined
      ? footfall.visitors.list({ timeframe, domain: site, suppressed, cursor }, { signal })
      : footfall.visitors.query(
          { ...qualification, window: timeframe, pixelId, suppressed, cursor },
          { signal },
        )
  const pages = usePages<Visitor, Meta>({
    key: ["people", { q, rule, segment, suppressed, timeframe, site, pixelId }],
    load: ask,
    isEnabled: isReady,
  })
  return { ...pages, ask, total: pages.meta?.total }
}

/** Undefined: everyone. */
const qualificationOf = ({ q, rule, segment }: PeopleSearch): Qualification | undefined => {
  if (q !== undefined) return { ruleAst: searchRule(q) }
  if (rule !== undefined) return { ruleAst: rule }
  return segment === undefined ? undefined : { segmentId: segment }
}

/** A whole address is looked for by its domain here; ⌘K finds the person. */
const searchRule = (text: string): RuleAst => {
  const domain = text.includes("@") ? text.slice(text.lastIndexOf("@") + 1) : undefined
  return {
    version: 1,
    rule:
      domain === undefined || domain === ""
        ? {
            any: [
              { field: "company.name", op: "contains", value: text },
              { field: "company.domain", op: "contains", value: text },
              { field: "company.job_title", op: "contains", value: text },
              { field: "contact.email_domain", op: "contains", value: text },
            ],
          }
        : { field: "contact.email_domain", op: "starts_with", value: domain },
  }
}
