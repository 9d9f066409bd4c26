// What the statements that compute scores have in common.
import { DateTime, type Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

export type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** Lists of values as parameters. */
export const valuesOf = (sql: SqlClient.SqlClient) => {
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  return {
    json,
    idsIn: (ids: ReadonlyArray<string>) =>
      sql`(select jsonb_array_elements_text(${json(ids)})::uuid)`,
    domainsIn: (domains: ReadonlyArray<string>) =>
      sql`(select jsonb_array_elements_text(${json(domains)}) collate "C")`,
  }
}

/** Days from one column to another, with fractions, as a worker counts them whose clock has milliseconds. */
export const daysBefore = (sql: SqlClient.SqlClient, seen: string, computed: string) =>
  sql.literal(
    `((floor(extract(epoch from ${computed}) * 1000) - extract(epoch from ${seen}) * 1000) / 86400000)::float8`,
  )

/** Since 1970, with fractions. */
export const milliseconds = (sql: SqlClient.SqlClient, column: string) =>
  sql.literal(`(extract(epoch from ${column}) * 1000)::float8`)

/** The moment at which the organization's day or week of `asOf` began. */
export const begun = (sql: SqlClient.SqlClient, unit: "day" | "week", asOf: DateTime.Utc) => sql`(
    date_trunc(${sql.literal(`'${unit}'`)},
      ${DateTime.toDateUtc(asOf)}::timestamptz at time zone organization.time_zone)
      at time zone organization.time_zone)`
