// SQL that finds people by a part of their name or of an address (spec 5.1). Few people: their ids, by the indexes of
// migration 0090. Many people: a condition for each row of the list, because a page of it is full after a few rows.
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { SearchText } from "./list-scope.ts"

/** Above this, a page is found faster in the list than among the people found. */
const fewMax = 10_000

/** A condition on the column with a visitor's id, for `seen` of scope-store.ts. */
export type Among = (visitorId: string) => Statement.Fragment

export interface Found {
  /** For reading a page. */
  readonly listed: Among
  /** For counting. */
  readonly counted: Among
}

export const searches = (sql: SqlClient.SqlClient) => {
  /**
   * People with the text in their name, and in an address, and the one whose whole address it is; someone may be in
   * each, or several times.
   */
  const matching = (organizationId: string, text: Statement.Fragment, emailHash: string) => {
    const query = sql`search_query(${organizationId}, ${text})`
    return sql`
      select visitor_id from visitor_name
      where organization_id = ${organizationId}
        and search_trigrams(organization_id, name) @@ ${query} and strpos(name, ${text}) > 0
      union all
      select visitor_id from visitor_address
      where organization_id = ${organizationId} and email is not null
        and search_trigrams(organization_id, search_text(email)) @@ ${query}
        and strpos(search_text(email), ${text}) > 0
      union all
      select visitor_id from visitor_address
      where organization_id = ${organizationId} and email_hash = ${emailHash}`
  }

  /**
   * Finds who has `q` in their name or in an address. `emailHash`: the hash of `q` as an address, for someone known by
   * hash alone.
   */
  return Effect.fn("VisitorStore.search")(function* (
    organizationId: string,
    { emailHash, text: q }: SearchText,
  ): Effect.fn.Return<Found, SqlError.SqlError> {
    const text = sql`search_text(${q})`
    const rows = yield* sql<{ readonly id: string }>`
      select visitor_id as id from (${matching(organizationId, text, emailHash)}) as found
      limit ${sql.literal(String(fewMax + 1))}`.unprepared
    if (rows.length <= fewMax) {
      const ids = sql`array(select jsonb_array_elements_text(
        ${JSON.stringify(rows.map(({ id }) => id))}::text::jsonb)::uuid)`
      const among: Among = (visitorId) => sql`and ${sql.literal(visitorId)} = any (${ids})`
      return { listed: among, counted: among }
    }
    // Two look-ups by key for each row. As joins, Postgres might read everyone for one page.
    const listed: Among = (visitorId) => sql`
      and (
        coalesce((
          select strpos(name, ${text}) > 0 from visitor_name
          where organization_id = ${organizationId} and visitor_id = ${sql.literal(visitorId)}
        ), false)
        or (
          select bool_or(strpos(search_text(email), ${text}) > 0) from visitor_address
          where organization_id = ${organizationId} and visitor_id = ${sql.literal(visitorId)}
        )
      )`
    const counted: Among = (visitorId) => sql`
      and ${sql.literal(visitorId)} in (
        select visitor_id from visitor_name
        where organization_id = ${organizationId} and strpos(name, ${text}) > 0
        union all
        select visitor_id from visitor_address
        where organization_id = ${organizationId} and strpos(search_text(email), ${text}) > 0
      )`
    return { listed, counted }
  })
}
