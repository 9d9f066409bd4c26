// The same queries as in rules.ts, as an expert would write them for one organization: which visitors are on the page,
// in list order.
import { needles } from "./rules.ts"

export interface HandScope {
  readonly organizationId: string
  /** Start of the window, ISO 8601. */
  readonly from: string
  /** Key of the last visitor of the previous page; undefined for the first page. */
  readonly after: readonly [lastSeenAt: string, emailHash: string] | undefined
  readonly limit: number
}

export const page = (
  { after, from, limit, organizationId }: HandScope,
  qualifies: string,
): string => `
  select v.id, v.email_hash, v.last_seen_at
  from visitor v
  where v.organization_id = '${organizationId}' and not v.held_back and v.last_seen_at >= '${from}'
    ${
      after === undefined
        ? ""
        : `and v.last_seen_at <= '${after[0]}'
          and (v.last_seen_at < '${after[0]}' or v.email_hash > '${after[1]}')`
    }
    and ${qualifies}
  order by v.last_seen_at desc, v.email_hash
  limit ${limit}`

export const sessions = ({ from, organizationId }: HandScope): string =>
  `session s where s.organization_id = '${organizationId}' and s.visitor_id = v.id
    and s.ended_at >= '${from}'`

export const fiveByHand = (scope: HandScope): string =>
  page(
    scope,
    `(lower(v.seniority) like '%vp%' or lower(v.job_title) like '%director%')
    and exists (select from ${sessions(scope)} and s.pricing_page_views > 0)
    and exists (select from ${sessions(scope)} and s.paths like '%/warehouse%')
    and (select count(*) from ${sessions(scope)}) >= 2`,
  )

/** No session contains any of them, so it takes one pass over each visitor's sessions. */
export const worstByHand = (scope: HandScope): string =>
  page(
    scope,
    `exists (select from ${sessions(scope)} and (${needles
      .map((needle) => `s.paths like '%${needle}%'`)
      .join(" or ")}))`,
  )
