// Rows of the people list: everyone, the people of a segment or a rule, the search results within these, or the one
// person with an email address. Among everyone, a search compares names and addresses; within a segment or a rule, the
// company and the job.
import { NotFoundError, type PageMeta, type RuleAst, type Visitor } from "@footfall/sdk"
import { useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useScope } from "../frame/scope.tsx"
import { segmentQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { usePages } from "../ui/pages.ts"
import { isAddress, type PeopleSearch } from "../searches.ts"

type Meta = PageMeta & { readonly total: number | null }

interface PeoplePage {
  readonly data: ReadonlyArray<Visitor>
  readonly meta: Meta
}

/** Reads the page at a cursor. */
export type AskPeople = (cursor: string | undefined, signal: AbortSignal) => Promise<PeoplePage>

export const usePeople = () => {
  const client = useQueryClient()
  const { owner, q, rule, segment, sort, tag } = useSearch({ from: "/signed/people" })
  const { period, pixelId, site, suppressed, timeframe } = useScope()
  const ask: AskPeople = async (cursor, signal) => {
    const scope = { ...period, domain: site, suppressed }
    if (q !== undefined && isAddress(q)) {
      // The list leaves out suppressed people, but whoever searches for one finds them.
      const found = suppressed === "exclude" ? "include" : suppressed
      return pageOf(footfall.visitors.get({ ...scope, suppressed: found, email: q }, { signal }))
    }
    if (rule === undefined && segment === undefined) {
      return footfall.visitors.list({ ...scope, q, ownerId: owner, tag, sort, cursor }, { signal })
    }
    // The windows of rules and segments are n × 24 hours, and so is the count in the rule builder.
    const within = timeframe === undefined ? period : { window: timeframe }
    const query = { ...within, pixelId, suppressed, cursor }
    return segment !== undefined && rule === undefined && q === undefined
      ? footfall.visitors.query({ segmentId: segment, ...query }, { signal })
      : footfall.visitors.query(
          { ruleAst: await ruleOf({ q, rule, segment }, client), ...query },
          { signal },
        )
  }
  const pages = usePages<Visitor, Meta>({
    key: [
      "people",
      { owner, q, rule, segment, sort, suppressed, tag, timeframe, period, site, pixelId },
    ],
    load: ask,
  })
  return { ...pages, ask, total: pages.meta?.total }
}

const pageOf = async (request: PromiseLike<Visitor>): Promise<PeoplePage> => {
  try {
    return { data: [await request], meta: { nextCursor: null, total: 1 } }
  } catch (error) {
    if (error instanceof NotFoundError) return { data: [], meta: { nextCursor: null, total: 0 } }
    throw error
  }
}

/** A search runs within the rule or the segment, but uses the time window of the request. */
const ruleOf = async (
  { q, rule, segment }: PeopleSearch,
  client: QueryClient,
): Promise<RuleAst> => {
  const given =
    rule ??
    (segment === undefined ? undefined : (await client.fetchQuery(segmentQuery(segment))).ruleAst)
  const nodes = [
    ...(given === undefined ? [] : [given.rule]),
    ...(q === undefined ? [] : [searchRule(q)]),
  ]
  const [only] = nodes
  return {
    version: 1,
    rule: nodes.length === 1 && only !== undefined ? only : { all: nodes },
  }
}

/** For an incomplete address, search only its domain. */
const searchRule = (text: string): RuleAst["rule"] => {
  const domain = text.includes("@") ? text.slice(text.lastIndexOf("@") + 1) : ""
  return domain === ""
    ? {
        any: [
          { field: "company.name", op: "contains", value: text },
          { field: "company.domain", op: "contains", value: text },
          { field: "company.job_title", op: "contains", value: text },
          { field: "contact.email_domain", op: "contains", value: text },
        ],
      }
    : { field: "contact.email_domain", op: "starts_with", value: domain }
}
