// SQL for reading visitors. A page is found by key or through the index, and only its own rows are described, so a
// deep page costs as much as the first (spec 1.6). It never reads events: sessions contain everything that a list
// needs.
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { ListStart } from "../../platform/database/lists.ts"
import {
  nullAfter,
  type StatementTimedOut,
  withinLimit,
  withinTransaction,
} from "../../platform/database/statement-timeout.ts"
import { descriptions } from "./description-store.ts"
import type { ListScope } from "./list-scope.ts"
import { scopes } from "./scope-store.ts"
import { scoreOrder } from "./score-order-store.ts"
import { type Among, searches } from "./search-store.ts"
import type { VisitorRow } from "./visitor-row.ts"

interface IdentifiedRow extends VisitorRow {
  readonly visitorId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")
  const { seen } = scopes(sql)
  const described = descriptions(sql)
  const search = searches(sql)
  const byScore = scoreOrder(sql, "people")

  /** The parts of a statement that make its rows start at `start`. */
  const from = (scope: ListScope, start: ListStart) => {
    const plain = { before: nothing, where: nothing, offset: sql`0` }
    if ("after" in start) {
      // Descending, then ascending (spec 1.6).
      const where = sql`where last_seen_at <= ${start.after[0]}::timestamptz
        and (last_seen_at < ${start.after[0]}::timestamptz or email_hash > ${start.after[1]})`
      return { ...plain, where }
    }
    // A parameter would let the planner expect that a tenth of the list is skipped.
    if (start.offset === 0) return plain
    const counts = countsPerDay(scope)
    const offset = sql`${start.offset}::bigint`
    if (counts === undefined) return { ...plain, offset }
    // Whole days before the page are summed up, not read. The page begins on the day before the last of them.
    return {
      before: sql`with skipped as materialized (
        select day, people
        from (
          select day, sum(sum(people)) over (order by day desc)::bigint as people
          ${counts}
          group by day
        ) as added_up
        where people <= ${offset}
        order by day
        limit 1
      )`,
      where: sql`where last_seen_at
        < coalesce((select day::timestamp at time zone 'UTC' from skipped), 'infinity')`,
      offset: sql`${offset} - coalesce((select people from skipped), 0)`,
    }
  }

  const among = (visitorIds: ReadonlyArray<string>) =>
    sql`visitor_id = any (
      array(select jsonb_array_elements_text(${JSON.stringify(visitorIds)}::text::jsonb)::uuid))`

  /** One page by score. */
  const ranked = (scope: ListScope, start: ListStart, limit: number) => {
    const { from, organizationId, pixelId, q, rule, until } = scope
    const isPlain =
      pixelId === undefined && q === undefined && rule === undefined && until === undefined
    const pageOf = (among?: Among) =>
      described<VisitorRow>(
        byScore.page({ organizationId, listed: seen(scope, among), from, isPlain }, start, limit),
        scope,
        byScore.keyOf("page"),
      ).unprepared
    return q === undefined
      ? pageOf()
      : Effect.flatMap(search(organizationId, q), ({ listed }) => pageOf(listed))
  }

  const list = (scope: ListScope, start: ListStart, limit: number) => {
    if (scope.sort === "score") return ranked(scope, start, limit)
    const { before, offset, where } = from(scope, start)
    const pageOf = (among?: Among) => {
      const page = sql`
        ${before}
        select visitor_id, email_hash, last_seen_at
        from (${seen(scope, among)}) as seen
        ${where}
        order by last_seen_at desc, email_hash
        limit ${sql.literal(String(limit))} offset ${offset}`
      return planned(described(page, scope), scope)
    }
    return scope.q === undefined
      ? pageOf()
      : Effect.flatMap(search(scope.organizationId, scope.q), ({ listed }) => pageOf(listed))
  }

  const count = (scope: ListScope) =>
    scope.q === undefined
      ? counted(scope)
      : Effect.flatMap(search(scope.organizationId, scope.q), (found) =>
          counted(scope, found.counted),
        )

  const counted = (scope: ListScope, among?: Among) => {
    const people = sql`select count(*) from (${seen(scope, among)}) as seen`
    const statement = sql<{ readonly total: number }>`
      select (${addedUp(scope, people) ?? people})::int as total`
    return Effect.map(planned(statement, scope), (rows) => rows[0]!.total)
  }

  /** The stored counts of whole days plus the people of the window's first, partial day. */
  const addedUp = (scope: ListScope, people: Statement.Fragment) => {
    const counts = countsPerDay(scope)
    if (counts === undefined) return undefined
    const kept = sql`(select coalesce(sum(people), 0) ${counts})`
    return scope.from === undefined
      ? kept
      : sql`${kept}
          + (${people} where last_seen_at < (${dayOf(scope.from)}::date + 1)::timestamp at time zone 'UTC')`
  }

  /**
   * `from` and `where` for the stored counts of the window's whole days. Undefined if there are none: for a rule, a
   * search or a window that has ended, for suppression on one pixel, and for several pixels, who have people in common.
   */
  const countsPerDay = ({
    from,
    organizationId,
    pixelId,
    q,
    rule,
    suppressed,
    until,
  }: ListScope) => {
    if (
      rule !== undefined ||
      q !== undefined ||
      until !== undefined ||
      typeof pixelId === "object" ||
      (pixelId !== undefined && suppressed !== "include")
    )
      return undefined
    return sql`
      from people_per_day
      where organization_id = ${organizationId} and place = ${pixelId ?? organizationId}
        ${suppressed === "include" ? nothing : sql`and suppressed = ${suppressed === "only"}`}
        ${from === undefined ? nothing : sql`and day > ${dayOf(from)}::date`}`
  }

  /** Those with a condition of their own are planned for their values, because a generic plan would be far off. */
  const planned = <A>(statement: Statement.Statement<A>, { q, rule, until }: ListScope) =>
    rule === undefined && q === undefined && until === undefined ? statement : statement.unprepared

  return {
    /** One page of the list, in its order. */
    list: (
      scope: ListScope,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<VisitorRow>> => Effect.orDie(list(scope, start, limit)),

    /** Like `list`, for a page that may take longer than other statements. */
    listWithin: (
      scope: ListScope,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<VisitorRow>, StatementTimedOut> =>
      withinLimit(list(scope, start, limit)),

    /**
     * Which of the visitors are in scope. Runs in the caller's transaction and leaves it intact on failure:
     * StatementTimedOut after `limitMs`.
     */
    inScopeWithin: (
      scope: ListScope,
      visitorIds: ReadonlyArray<string>,
      limitMs: number,
    ): Effect.Effect<ReadonlySet<string>, StatementTimedOut | SqlError.SqlError> =>
      withinTransaction(
        sql,
        limitMs,
        Effect.map(
          planned(
            sql<{ readonly id: string }>`
              select visitor_id as id from (${seen(scope)}) as seen where ${among(visitorIds)}`,
            scope,
          ),
          (rows) => new Set(rows.map(({ id }) => id)),
        ),
      ),

    /** Returns the given visitors that are in scope, by id. */
    findByIds: (
      scope: ListScope,
      visitorIds: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyMap<string, VisitorRow>, SqlError.SqlError> =>
      Effect.map(
        described<IdentifiedRow>(
          sql`select * from (${seen(scope)}) as seen where ${among(visitorIds)}`,
          scope,
          sql.literal(`, page.visitor_id as "visitorId"`),
        ),
        (rows) => new Map(rows.map((row) => [row.visitorId, row])),
      ),

    /** Counts the people in scope. */
    count: (scope: ListScope): Effect.Effect<number> => Effect.orDie(count(scope)),

    /** Like `count`, but returns null if it takes longer than `limitMs`. */
    countWithin: (scope: ListScope, limitMs: number): Effect.Effect<number | null> =>
      nullAfter(sql, limitMs, count(scope)),

    /** Returns the person with the address, if in scope. */
    find: (scope: ListScope, emailHash: string): Effect.Effect<VisitorRow | undefined> => {
      const page = sql`
        select seen.visitor_id, seen.email_hash, last_seen_at
        from visitor_address as address
        join (${seen(scope)}) as seen on seen.visitor_id = address.visitor_id
        where organization_id = ${scope.organizationId} and address.email_hash = ${emailHash}`
      return described(page, scope).pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      )
    },
  }
})

// Postgres adds days to it, because the day after 9999-12-31 has no ISO text that Postgres reads.
const dayOf = (time: DateTime.Utc): string => DateTime.formatIsoDateUtc(time)

export class VisitorStore extends Context.Service<VisitorStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/VisitorStore",
) {
  static readonly layer = Layer.effect(VisitorStore, make)
}
