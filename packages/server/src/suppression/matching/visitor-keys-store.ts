// How visitors and rules are compared in SQL: by type and match_key. A person has one key per address, and one each for
// the primary address's domain, the company domain and the industry.
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { RuleType } from "../rule.ts"

/** The keys of visitor `v`, of the types for which `isAsked` is true. */
const keysOf = (isAsked: (type: RuleType) => string) => `(
  select 'email' as type, address.email_hash as match_key
  from visitor_address as address
  where ${isAsked("email")}
    and address.organization_id = v.organization_id and address.visitor_id = v.id
  union all select 'domain', v.email_domain
  where ${isAsked("domain")} and v.email_domain is not null
  union all select 'company_domain', v.company_domain
  where ${isAsked("company_domain")} and v.company_domain is not null
  union all select 'industry', v.industry
  where ${isAsked("industry")} and v.industry is not null)`

export const visitorKeys = (sql: SqlClient.SqlClient) => ({
  /** The keys of visitor `v`. */
  own: sql.literal(keysOf(() => "true")),

  /**
   * The keys of visitor `v` that a rule in force can have: of types that `list`, a row of `suppression_list`, has rules
   * of. After a change it is every type until the next cycle, because removed rules stay in force until then.
   */
  ownInForce: sql.literal(
    `lateral ${keysOf((type) => `(list.${type} > 0 or list.changed_at >= list.cycle_at)`)}`,
  ),

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
