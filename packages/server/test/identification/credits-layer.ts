// An organization with a credit limit: identifies people, ends months, changes limits, and reads the result from
// the database by address.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { arrive, drain, identify, nextId } from "./identification-layer.ts"
import { suppressionStatements } from "./suppressed.ts"

/** A new organization. Null: unlimited. */
export const makeOrganization = Effect.fnUntraced(function* (limit: number | null) {
  const sql = yield* SqlClient.SqlClient
  const organizationId = nextId()
  yield* sql`
    insert into organization (id, name, slug, credit_limit)
    values (${organizationId}, 'Tidewater', ${organizationId}, ${limit})`
  return organizationId
})

/** Identifies the people in this order, in a single batch, each in a separate browser. */
export const identifyAll = Effect.fnUntraced(function* (
  organizationId: string,
  emails: ReadonlyArray<string>,
) {
  yield* arrive(
    ...emails.map((email) => identify(0, email, { organizationId, anonymousId: nextId() })),
  )
  yield* drain
})

export const setLimit = (organizationId: string, limit: number | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update organization set credit_limit = ${limit} where id = ${organizationId}`,
  )

let monthsEnded = 0

/** Moves this month's usage and its people to an earlier month that has none yet. */
export const endMonth = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  monthsEnded++
  for (const table of ["credit_month", "credit"]) {
    yield* sql`
      update ${sql(table)} set month = month - make_interval(months => ${monthsEnded})
      where organization_id = ${organizationId}
        and month = date_trunc('month', now() at time zone 'utc')`
  }
})

/** Marks the person as the next sync cycle would. */
export const setSuppressed = (organizationId: string, email: string, isSuppressed: boolean) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(
      suppressionStatements({ organizationId, email, isSuppressed }),
      ([text, values]) => sql.unsafe(text, values),
      { discard: true },
    ),
  )

export interface Credits {
  /** In the current month. */
  readonly used: number
  readonly charged: ReadonlyArray<string>
  readonly heldBack: ReadonlyArray<string>
}

/** People by address, sorted. Dies if the rows of a person contradict each other. */
export const credits = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const people = yield* sql<{ email: string; isCharged: boolean; isHeldBack: boolean }>`
    select
      v.email, v.held_back as "isHeldBack", exists (
        select from credit c where c.organization_id = v.organization_id and c.visitor_id = v.id
      ) as "isCharged"
    from visitor v
    where v.organization_id = ${organizationId}
    order by v.email`
  const contradicting = yield* sql`
    select v.email
    from visitor v
    left join visitor_pixel p on p.organization_id = v.organization_id and p.visitor_id = v.id
    where v.organization_id = ${organizationId}
      and (p.held_back is distinct from v.held_back
        or v.held_back <> (v.held_back_place is not null))`
  if (contradicting.length > 0) return yield* Effect.die({ contradicting })
  const [month] = yield* sql<{ used: number }>`
    select used from credit_month
    where organization_id = ${organizationId}
      and month = date_trunc('month', now() at time zone 'utc')`
  return {
    used: month?.used ?? 0,
    charged: people.filter(({ isCharged }) => isCharged).map(({ email }) => email),
    heldBack: people.filter(({ isHeldBack }) => isHeldBack).map(({ email }) => email),
  } satisfies Credits
})
