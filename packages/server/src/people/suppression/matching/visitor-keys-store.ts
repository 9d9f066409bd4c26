// How visitors and rules are compared in SQL: by type and match_key. A person has one key per address, and one each for
// the primary address's domain, the company domain and the industry.
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { ruleTypes, type RuleType } from "../rule.ts"

/** The keys of visitor `v` for the types that `isSelected` accepts. */
const keysOf = (isSelected: (type: RuleType) => string) => `(
  select 'email' as type, address.email_hash as match_key
  from visitor_address as address
  where ${isSelected("email")}
    and address.organization_id = v.organization_id and address.visitor_id = v.id
  union all select 'domain', v.email_domain
  where ${isSelected("domain")} and v.email_domain is not null
  union all select 'company_domain', v.company_domain
  where ${isSelected("company_domain")} and v.company_domain is not null
  union all select 'industry', v.industry
  where ${isSelected("industry")} and v.industry is not null)`

/** Sorted, so that Postgres takes the first rule from the index and never reads the rules of other organizations. */
const hasType = (type: RuleType) => `(
  select true from suppression_rule as rule
  where rule.organization_id = listed.organization_id and rule.type = '${type}'
  order by rule.match_key
  limit 1
) as has_${type}`

export const visitorKeys = (sql: SqlClient.SqlClient) => ({
  /** The keys of visitor `v`. */
  own: sql.literal(keysOf(() => "true")),

  /** The keys of visitor `v` for the types of rules that `list` has: see `lists`. */
  ownListed: sql.literal(keysOf((type) => `list.has_${type}`)),

  /** The lists of some organizations, with the types of rules that each has now. */
  lists: (organizations: Fragment) => sql`
    select listed.organization_id, listed.cycle_at, ${sql.literal(ruleTypes.map(hasType).join())}
    from suppression_list as listed
    where listed.organization_id in (${organizations})`,

  /** The rule with such a key, through the index on both of a rule's keys, `suppression_rule_key`. */
  isRule: sql.literal(`rule.organization_id = v.organization_id
    and rule.type = own.type and rule.match_key = own.match_key`),

  /** Visitors that have a key from `source` (type, match_key), with its type: one join per type. */
  having: (organizationId: string, source: Fragment) => {
    const byColumn = (type: string, column: string) => sql`
      select holder.id, key.type
      from ${source} as key join visitor as holder
        on holder.organization_id = ${organizationId} and holder.${sql.literal(column)} = key.match_key
      where key.type = ${type}`
    return sql`
      select address.visitor_id as id, key.type
      from ${source} as key join visitor_address as address
        on address.organization_id = ${organizationId} and address.email_hash = key.match_key
      where key.type = 'email'
      union all ${byColumn("domain", "email_domain")}
      union all ${byColumn("company_domain", "company_domain")}
      union all ${byColumn("industry", "industry")}`
  },
})
