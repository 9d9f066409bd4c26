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

/** `surplus`: how far the interest of a company is above what its total shows. It is zero but for few companies. */
const tables = {
  people: { table: "visitor_score", id: "visitor_id", surplus: "0", tie: "email_hash" },
  companies: { table: "company_score", id: "domain", surplus: "score.surplus", tie: "domain" },
} as const

export const scoreOrder = (sql: SqlClient.SqlClient, subject: keyof typeof tables) => {
  const { id, table } = tables[subject]
  const nothing = sql.literal("")
  const surplus = sql.literal(tables[subject].surplus)
  const tie = sql.literal(`score.${tables[subject].tie}`)
  const lastSeen = sql`score.seen_at desc, ${tie}`

  const rows = (
    organizationId: string,
    listed: Statement.Fragment,
    where: Statement.Fragment,
  ) => sql`
    select seen.*, score.rank, ${surplus} as surplus, score.seen_at as scored_seen_at, ${tie} as tie
    from ${sql.literal(table)} as score
    join (${listed}) as seen on ${sql.literal(`seen.${id} = score.${id}`)}
    where score.organization_id = ${organizationId} ${where}`

  /** Of one rank, found by index. The few companies with a surplus come first. */
  const ofRank = (
    first: (where: Statement.Fragment, order: Statement.Fragment) => Statement.Fragment,
  ) =>
    subject === "people"
      ? first(nothing, lastSeen)
      : sql`
          (${first(sql`and ${surplus} > 0`, sql`${surplus} desc, ${lastSeen}`)})
          union all
          (${first(sql`and ${surplus} = 0`, lastSeen)})`

  return {
    /** The columns of `listed`, and `rank`, `surplus`, `scored_seen_at` and `tie`. */
    page: (
      { from, isPlain, listed, organizationId }: Scored,
      start: ListStart,
      limit: number,
    ): Statement.Fragment => {
      const offset = "offset" in start ? start.offset : 0
      const [rank, seenAt, after, more = "0"] = "after" in start ? start.after : []
      const behind =
        rank === undefined
          ? nothing
          : sql`and score.rank <= ${rank}::smallint and (
              score.rank < ${rank}::smallint or ${surplus} < ${more}::smallint or (
                ${surplus} = ${more}::smallint and (
                  score.seen_at < ${seenAt}::timestamptz or (
                    score.seen_at = ${seenAt}::timestamptz and ${tie} > ${after}
                  )
                )
              )
            )`
      const since =
        from === undefined
          ? nothing
          : sql`and score.seen_at >= ${DateTime.toDateUtc(from)}::timestamptz`
      const end = sql`limit ${sql.literal(String(limit))} offset ${offset}::bigint`
      if (!isPlain) {
        return sql`
          select * from (${rows(organizationId, listed, behind)}) as scored
          order by rank desc, surplus desc, scored_seen_at desc, tie ${end}`
      }
      const first = (where: Statement.Fragment, order: Statement.Fragment) => sql`
        ${rows(organizationId, listed, sql`and score.rank = ranks.place ${where} ${since} ${behind}`)}
        order by ${order} limit ${sql.literal(String(offset + limit))}`
      return sql`
        select scored.*
        from (
          select place from generate_series(${sql.literal(String(lastRank))}, 100) as place
          where place <= ${rank ?? "100"}::smallint
          order by place desc
        ) as ranks
        cross join lateral (${ofRank(first)}) as scored
        order by ranks.place desc, surplus desc, scored_seen_at desc, tie ${end}`
    },

    /** Orders the rows of such a page. */
    orderOf: (page: string) =>
      sql.literal(
        `${page}.rank desc, ${page}.surplus desc, ${page}.scored_seen_at desc, ${page}.tie`,
      ),

    /** The key of a row of such a page. */
    keyOf: (page: string) =>
      sql.literal(`, jsonb_build_array(${page}.rank::text, ${page}.scored_seen_at::text, ${page}.tie,
        ${page}.surplus::text) as "scoreKey"`),
  }
}

/** The score that is shown: `score` is the row of a person or a company, who may be suppressed since. */
export const shownScore = (sql: SqlClient.SqlClient, suppressed: string) =>
  sql.literal(`case when score.rank >= 0 and not ${suppressed} then jsonb_build_object(
    'total', score.rank, 'fit', score.fit, 'interest', score.interest, 'hot', score.is_hot,
    'top', score.top) end`)
