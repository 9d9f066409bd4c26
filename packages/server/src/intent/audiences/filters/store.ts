// SQL that counts people by the values of their fields. A person whom the organization imported itself counts with its
// own values, so the shared values are subtracted.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { sharedOrganizationId } from "../../../access/organization.ts"
import { companySizes, employeesOf } from "../config.ts"
import type { FilterName, ValueCount } from "./filter-values.ts"

/** Counting all shared people takes longer than a request is allowed; it happens once after an import. */
const countedWithin = "60s"

const columns: ReadonlyArray<readonly [FilterName, string]> = [
  ["companyIndustry", "industry"],
  ["seniority", "seniority"],
  ["companySize", "company_size"],
  ["department", "department"],
  ["state", "state"],
  ["companyRevenueRange", "company_total_revenue"],
  ["ageRange", "age_range"],
  ["gender", "gender"],
  ["isB2b", "is_b2b"],
]

/** Columns that visitors have too. */
const visitorColumns = new Set([
  "industry",
  "seniority",
  "department",
  "state",
  "company_total_revenue",
])

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const sizeOf = (employees: string) => {
    const bands = companySizes.map((size) => {
      const [least, most] = employeesOf(size)
      return `when ${employees} between ${least} and ${most} then '${size}'`
    })
    return `case ${bands.join(" ")} end`
  }
  const columnsOf = (of: (name: string) => string) =>
    sql.literal(
      columns
        .map(([, name]) =>
          name === "company_size"
            ? `${sizeOf(of("company_employee_count"))} as company_size`
            : `${of(name)} as ${name}`,
        )
        .join(", "),
    )
  const names = columns.map(([, name]) => name)
  const filter = columns
    .map(([filterName, name]) => `when grouping(${name}) = 0 then '${filterName}'`)
    .join(" ")
  const values = `coalesce(${names.join(", ")})`

  const counted = (source: Fragment) =>
    sql`
      select set_config('statement_timeout', ${countedWithin}, true),
        set_config('max_parallel_workers_per_gather', '0', true),
        set_config('work_mem', '64MB', true)`.pipe(
      Effect.andThen(
        sql<ValueCount>`
          select
            case ${sql.literal(filter)} end as filter, ${sql.literal(values)} as value,
            sum(people)::int as count
          from (${source}) as source
          group by grouping sets (${sql.literal(names.map((name) => `(${name})`).join(", "))})
          having ${sql.literal(values)} is not null`.unprepared,
      ),
      sql.withTransaction,
      Effect.orDie,
    )

  /** Counts of shared people. */
  const shared = counted(sql`
    select 1 as people, ${columnsOf((name) => `person.${name}`)}
    from person
    where person.organization_id = ${sharedOrganizationId}::uuid`)

  /** How the organization's own people and visitors change the shared counts. */
  const own = (organizationId: string): Effect.Effect<ReadonlyArray<ValueCount>> => {
    const hash = sql.literal("coalesce(person.email_hash, visitor.email_hash)")
    const known = sql`
      (select * from person where organization_id = ${organizationId}) as person
      full join (
        select * from visitor where organization_id = ${organizationId} and not held_back
      ) as visitor on visitor.email_hash = person.email_hash
      left join person as shared_person
        on shared_person.organization_id = ${sharedOrganizationId}::uuid
        and shared_person.email_hash = ${hash}`
    const first = (name: string) =>
      name === "company_employee_count" || visitorColumns.has(name)
        ? `coalesce(person.${name}, shared_person.${name}, visitor.${name})`
        : `coalesce(person.${name}, shared_person.${name})`
    return counted(sql`
      select 1 as people, ${columnsOf(first)} from ${known}
      union all
      select -1, ${columnsOf((name) => `shared_person.${name}`)} from ${known}
      where shared_person.email_hash is not null`)
  }

  return { shared, own }
})

export class FilterStore extends Context.Service<FilterStore, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/FilterStore",
) {
  static readonly layer = Layer.effect(FilterStore, make)
}
