// How a visitor and a rule are compared, in SQL: by type and match_key. A person has one key for each
// address, and one each for the domain of the primary address, the company domain and the industry.
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

export const visitorKeys = (sql: SqlClient.SqlClient) => ({
  /** Keys of the visitor `v`. */
  own: sql.literal(`(
    select 'email' as type, address.email_hash as match_key
    from visitor_address as address
    where address.organization_id = v.organization_id and address.visitor_id = v.id
    union all select 'domain', v.email_domain where v.email_domain is not null
    union all select 'company_domain', v.company_domain where v.company_domain is not null
    union all select 'industry', v.industry where v.industry is not null)`),

  /** The rule of such a key, by the index of either of its keys: of `suppression_rule_key`. */
  isRule: sql.literal(`rule.organization_id = v.organization_id
    and rule.type = own.type and rule.match_key = own.match_key`),

  /** Visitors that have a key of `source` (type, match_key), and its type: one join a type. */
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
