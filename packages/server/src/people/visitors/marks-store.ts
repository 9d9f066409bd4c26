// SQL that shows the owner and the tags of a person or a company, by index (spec 2.24).
import type { SqlClient } from "effect/sql"
import type { RuleSubject } from "./query/predicate.ts"

/** The tables of a subject: the start of their names, and the column with its key. */
export const markTables = {
  people: { prefix: "visitor", id: "visitor_id" },
  companies: { prefix: "company", id: "domain" },
} as const satisfies Readonly<Record<RuleSubject, unknown>>

/** The columns `owner` and `tags` of a row of `page`, which has the organization and the subject's key. */
export const shownMarks = (
  sql: SqlClient.SqlClient,
  subject: RuleSubject,
  page: { readonly organizationId: string; readonly id: string },
) => {
  const { id, prefix } = markTables[subject]
  const isTheirs = (table: string) =>
    `${table}.organization_id = ${page.organizationId} and ${table}.${id} = ${page.id}`
  return sql.literal(`
    (
      select jsonb_build_object(
        'id', account.id,
        'name', case when member.accepted_at is not null then account.name end,
        'email', account.email
      )
      from ${prefix}_owner as owned
      join member on member.organization_id = owned.organization_id
        and member.user_id = owned.user_id
      join user_account as account on account.id = owned.user_id
      where ${isTheirs("owned")}
    ) as owner,
    coalesce((
      select jsonb_agg(tagged.tag order by tagged.key) from ${prefix}_tag as tagged
      where ${isTheirs("tagged")}
    ), '[]') as tags`)
}
