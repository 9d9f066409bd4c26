// SQL that reads a page of people or companies by score, highest first (spec 1.6.14). There are 102 ranks: the totals, and
// one for those without a score. So a page takes the first rows of each rank by index, however few people its window
// has, and stops when it is full.
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { ListStart } from "../../platform/database/lists.ts"

/** The rank of those without a score. The others' is their total. */
const lastRank = -1

interface Scored {
  readonly organizationId: string
  /** A statement that selects what is listed. */
  readonly listed: Statement.Fragment
  /** Start of the window: no one who was seen last before it is listed. */
  readonly from: DateTime.Utc | undefined
  /**
   * Whether `listed` has about as many rows as the window, so that rank after rank is best. Otherwise the planner
   * decides.
   */
  readonly isPlain: boolean
}

const tables = {
  people: { table: "visitor_score", id: "visitor_id", tie: "email_hash" },
  companies: { table: "company_score", id: "domain", tie: "domain" },
} as const

export const scoreOrder = (sql: SqlClient.SqlClient, subject: keyof typeof tables) => {
  const { id, table, tie } = tables[subject]
  const nothing = sql.literal("")
  const order = sql.literal("rank desc, scored_seen_at desc, tie")

  const rows = (
    organizationId: string,
    listed: Statement.Fragment,
    where: Statement.Fragment,
  ) => sql`
    select seen.*, score.rank, score.seen_at as scored_seen_at, ${sql.literal(`score.${tie}`)} as tie
    from ${sql.literal(table)} as score
    join (${listed}) as seen on ${sql.literal(`seen.${id} = score.${id}`)}
    where score.organization_id = ${organizationId} ${where}`

  return {
    /** The columns of `listed`, and `rank`, `scored_seen_at` and `tie`. */
    page: (
      { from, isPlain, listed, organizationId }: Scored,
      start: ListStart,
      limit: number,
    ): Statement.Fragment => {
      const offset = "offset" in start ? start.offset : 0
      const [rank, seenAt, after] = "after" in start ? start.after : []
      const behind =
        rank === undefined
          ? nothing
          : sql`and score.rank <= ${rank}::smallint and (
              score.rank < ${rank}::smallint or score.seen_at < ${seenAt}::timestamptz or (
                score.seen_at = ${seenAt}::timestamptz
                and ${sql.literal(`score.${tie}`)} > ${after}
              )
            )`
      const since =
        from === undefined
          ? nothing
          : sql`and score.seen_at >= ${DateTime.toDateUtc(from)}::timestamptz`
      const end = sql`
        order by ${order} limit ${sql.literal(String(limit))} offset ${offset}::bigint`
      if (!isPlain) {
        return sql`select * from (${rows(organizationId, listed, behind)}) as scored ${end}`
      }
      return sql`
        select scored.*
        from (
          select place from generate_series(${sql.literal(String(lastRank))}, 100) as place
          where place <= ${rank ?? "100"}::smallint
          order by place desc
        ) as ranks
        cross join lateral (
          ${rows(organizationId, listed, sql`and score.rank = ranks.place ${since} ${behind}`)}
          order by score.seen_at desc, ${sql.literal(`score.${tie}`)}
          limit ${sql.literal(String(offset + limit))}
        ) as scored
        order by ranks.place desc, scored_seen_at desc, tie
        limit ${sql.literal(String(limit))} offset ${offset}::bigint`
    },

    /** Orders the rows of such a page. */
    orderOf: (page: string) =>
      sql.literal(`${page}.rank desc, ${page}.scored_seen_at desc, ${page}.tie`),

    /** The key of a row of such a page. */
    keyOf: (page: string) =>
      sql.literal(`, jsonb_build_array(
        ${page}.rank::text, ${page}.scored_seen_at::text, ${page}.tie) as "scoreKey"`),
  }
}

/** The score that is shown: `score` is the row of a person or a company, who may be suppressed since. */
export const shownScore = (sql: SqlClient.SqlClient, suppressed: string) =>
  sql.literal(`case when score.rank >= 0 and not ${suppressed} then jsonb_build_object(
    'total', score.rank, 'fit', score.fit, 'interest', score.interest, 'hot', score.is_hot) end`)
