// Every statement that reads visitors. A page is found by its key or through the index alone, then only its
// own rows are described, so a deep page costs what the first one costs (spec 1.6). Events are never
// read here: sessions hold what a list needs.
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { type ListStart, listVersion } from "../database/lists.ts"
import { descriptions } from "./description-store.ts"
import type { ListScope } from "./list-scope.ts"
import { scopes } from "./scope-store.ts"
import type { VisitorRow } from "./visitor-row.ts"

/** A statement took longer than it may, and was ended. */
export class StatementTimedOut extends Schema.TaggedError<StatementTimedOut>()(
  "StatementTimedOut",
  {},
) {}

interface IdentifiedRow extends VisitorRow {
  readonly visitorId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")
  const { seen } = scopes(sql)
  const described = descriptions(sql)

  /** Behind the key `[lastSeenAt, emailHash]`: descending, then ascending (spec 1.6). */
  const from = (start: ListStart) =>
    "after" in start
      ? sql`where last_seen_at <= ${start.after[0]}::timestamptz
          and (last_seen_at < ${start.after[0]}::timestamptz or email_hash > ${start.after[1]})`
      : nothing

  const among = (visitorIds: ReadonlyArray<string>) =>
    sql`visitor_id = any (
      array(select jsonb_array_elements_text(${JSON.stringify(visitorIds)}::text::jsonb)::uuid))`

  const list = (scope: ListScope, start: ListStart, limit: number) => {
    const offset = "offset" in start ? start.offset : 0
    const page = sql`
      select visitor_id, email_hash, last_seen_at
      from (${seen(scope)}) as seen
      ${from(start)}
      order by last_seen_at desc, email_hash
      limit ${sql.literal(String(limit))} offset ${offset}::bigint`
    return planned(described(page, scope), scope)
  }

  const count = (scope: ListScope) => {
    const statement = sql<{ readonly total: number }>`
      select count(*)::int as total from (${seen(scope)}) as seen`
    return Effect.map(planned(statement, scope), (rows) => rows[0]!.total)
  }

  /** A rule is planned for its values each time: a plan for any values would be far off. */
  const planned = <A>(statement: Statement.Statement<A>, { rule }: ListScope) =>
    rule === undefined ? statement : statement.unprepared

  return {
    /** One page of the list, in its order. */
    list: (
      scope: ListScope,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<VisitorRow>> => Effect.orDie(list(scope, start, limit)),

    /** The same, when it may take longer than a statement may. */
    listWithin: (
      scope: ListScope,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<VisitorRow>, StatementTimedOut> =>
      list(scope, start, limit).pipe(
        Effect.catchReason(
          "SqlError",
          "StatementTimeoutError",
          () => new StatementTimedOut(),
          (_, error) => Effect.die(error),
        ),
      ),

    /**
     * Which of the visitors are in scope. Joins the caller's transaction, which a failure leaves as it
     * was: StatementTimedOut when it takes longer than `limitMs`.
     */
    inScopeWithin: (
      scope: ListScope,
      visitorIds: ReadonlyArray<string>,
      limitMs: number,
    ): Effect.Effect<ReadonlySet<string>, StatementTimedOut | SqlError.SqlError> =>
      Effect.gen(function* () {
        const [limit] = yield* sql<{ readonly former: string }>`
          select current_setting('statement_timeout') as former`
        yield* sql`select set_config('statement_timeout', ${String(limitMs)}, true)`
        const rows = yield* planned(
          sql<{ readonly id: string }>`
            select visitor_id as id from (${seen(scope)}) as seen where ${among(visitorIds)}`,
          scope,
        )
        // The savepoint takes it back only when it fails.
        yield* sql`select set_config('statement_timeout', ${limit!.former}, true)`
        return new Set(rows.map(({ id }) => id))
      }).pipe(
        sql.withTransaction,
        Effect.catchReason("SqlError", "StatementTimeoutError", () => new StatementTimedOut()),
      ),

    /** Those of the visitors who are in scope, by id. */
    ofIds: (
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

    /** Of the lists of visitors, whatever their scope: a rule may ask about any of it. */
    version: (organizationId: string): Effect.Effect<string> =>
      listVersion(sql, organizationId, ["visitor", "visitor_pixel", "session"]),

    /** People in scope. */
    count: (scope: ListScope): Effect.Effect<number> => Effect.orDie(count(scope)),

    /** The same, unless it takes longer than `limitMs`: then null, and the statement is ended. */
    countWithin: (scope: ListScope, limitMs: number): Effect.Effect<number | null> =>
      Effect.gen(function* () {
        yield* sql`select set_config('statement_timeout', ${String(limitMs)}, true)`
        return yield* count(scope)
      }).pipe(
        sql.withTransaction,
        Effect.catchReason("SqlError", "StatementTimeoutError", () => Effect.succeed(null)),
        Effect.orDie,
      ),

    /** The person with an address, when in scope; any address of the person will do. */
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

export class VisitorStore extends Context.Service<VisitorStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/VisitorStore",
) {
  static readonly layer = Layer.effect(VisitorStore, make)
}
