// Every statement about imported people. A batch stands in a temporary table of the connection, filled
// by COPY or from a list, and is merged from there: one statement writes the people that change, another
// one where their addresses lead. Each row finds what it needs by key, in a lateral subquery that cannot
// be joined otherwise: nothing tells the planner how many people an organization has, and it would read
// all of them for every batch. Nobody else writes visitors or people meanwhile.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { advisoryLocks } from "../database/advisory-locks.ts"
import { transaction } from "../database/transaction.ts"
import { type Changed, type ImportOrigin, sharedOrganizationId } from "./import/import-kind.ts"
import type { ImportRow } from "./import/merged-import.ts"
import { personColumns } from "./person-row.ts"
import { personFields } from "./person-fields.ts"
import type { KnownAddress } from "./visitor-enrichment.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export class PeopleStore extends Context.Service<
  PeopleStore,
  {
    /** Runs the effect in one transaction. */
    transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
    /** Waits for the turn of identification, which ends with the transaction. */
    readonly takeTurn: Result<void>
    /** The id of the operator organization; none before the first start. */
    readonly operatorOrganization: Result<string | undefined>
    /** Whether the organization has erased anybody. */
    hasErased(organizationId: string): Result<boolean>
    /** Makes the temporary tables where the connection has none; each transaction leaves them empty. */
    readonly prepare: Result<void>
    /** Puts rows into the staging table without COPY. */
    stage(rows: ReadonlyArray<ImportRow>): Result<void>
    /** Those of the keys that are people already, and addresses among the keys that visitors have. */
    known(
      origin: ImportOrigin,
      keys: ReadonlyArray<string>,
    ): Result<{
      readonly keys: ReadonlySet<string>
      readonly touched: ReadonlyArray<KnownAddress>
    }>
    /** Merges what is staged. `touched`: keys of changed people that a visitor has. */
    merge(origin: ImportOrigin): Result<Changed & { readonly touched: ReadonlyArray<KnownAddress> }>
    /** Leads the addresses of the people just merged to them; gives those that a visitor has. */
    lead(origin: ImportOrigin): Result<ReadonlyArray<KnownAddress>>
  }
>()("@footfall/server/people/PeopleStore") {
  static readonly layer = Layer.effect(
    PeopleStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const merge = mergeStatement(sql)

      // For plan_cache_mode see IdentificationStore.takeTurn. A batch is sorted in memory.
      const takeTurn = sql`
        select
          pg_advisory_xact_lock(${advisoryLocks.identification}),
          set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('work_mem', '64MB', true)`.pipe(Effect.asVoid)

      const operatorOrganization = sql<{ id: string }>`
        select id from organization where is_operator`.pipe(Effect.map(([row]) => row?.id))

      const hasErased = (organizationId: string) =>
        sql<{ exists: boolean }>`
          select exists (
            select from tombstone where organization_id = ${organizationId}
          ) as "exists"`.pipe(Effect.map(([row]) => row?.exists === true))

      const prepare = sql`
        create temporary table if not exists import_person (
          position integer not null,
          email_hash text collate "C" not null,
          cleared integer not null,
          email text,
          emails text[],
          business_email text,
          personal_email text,
          email_status text,
          first_name text,
          last_name text,
          phones text[],
          phones_dnc boolean[],
          linkedin_url text,
          headline text,
          job_title text,
          seniority text,
          department text,
          company_name text,
          company_domain text,
          industry text,
          company_industry_group text,
          company_employee_count integer,
          company_total_revenue text,
          company_zip_code text,
          company_linkedin_url text,
          city text,
          state text,
          country text,
          age_range text,
          gender text,
          is_b2b text,
          phones_dnc_all boolean
        ) on commit delete rows`.pipe(
        Effect.andThen(
          sql`create temporary table if not exists import_person_address (
            position integer not null,
            person_hash text collate "C" not null,
            email_hash text collate "C" not null
          ) on commit delete rows`,
        ),
        Effect.asVoid,
      )

      const known = Effect.fnUntraced(function* (
        { organizationId }: ImportOrigin,
        keys: ReadonlyArray<string>,
      ) {
        const rows = yield* sql<{
          readonly emailHash: string
          readonly isKnown: boolean
          readonly organizationId: string | null
        }>`
          select
            k.email_hash as "emailHash", p.email_hash is not null as "isKnown",
            v.organization_id as "organizationId"
          from unnest(${`{${keys.join(",")}}`}::text::text[]) as k (email_hash)
          left join lateral (
            select email_hash from person
            where organization_id = ${organizationId} and email_hash = k.email_hash
            limit 1
          ) as p on true
          left join lateral (
            select v.organization_id from visitor_address v
            where v.email_hash = k.email_hash and ${isOfVisitor(sql, organizationId)}
            offset 0
          ) as v on true
          where p.email_hash is not null or v.organization_id is not null
          order by v.organization_id, k.email_hash`
        return {
          keys: new Set(rows.flatMap(({ emailHash, isKnown }) => (isKnown ? [emailHash] : []))),
          touched: rows.flatMap(({ emailHash, organizationId }) =>
            organizationId === null ? [] : [{ organizationId, emailHash }],
          ),
        }
      })

      const stage = (rows: ReadonlyArray<ImportRow>) => {
        const json = JSON.stringify(
          rows.map(({ key, said }, position) =>
            Object.fromEntries([
              ...personColumns.slice(3).map((column, place) => [column, valueAt(said, place)]),
              ["position", position],
              ["email_hash", key],
              ["cleared", said.cleared],
            ]),
          ),
        )
        return sql`
          insert into import_person
          select r.* from jsonb_populate_recordset(null::import_person, ${json}::text::jsonb) as r`.pipe(
          Effect.asVoid,
        )
      }

      /** Links stay; of several records in one batch that name an address the last one has it. */
      const lead = ({ organizationId, importId }: ImportOrigin) => {
        return sql<KnownAddress>`
          with led as (
            insert into person_address
              (organization_id, email_hash, person_hash, import_id)
            select distinct on (a.email_hash)
              ${organizationId}::uuid, a.email_hash, a.person_hash, ${importId}::uuid
            from import_person_address a
            order by a.email_hash, a.position desc
            on conflict (organization_id, email_hash) do update set
              person_hash = excluded.person_hash,
              import_id = excluded.import_id
            where not person_address.is_link
              and person_address.person_hash <> excluded.person_hash
          )
          select distinct v.organization_id as "organizationId", v.email_hash as "emailHash"
          from import_person_address a
          cross join lateral (
            select v.organization_id, v.email_hash
            from visitor_address v
            where v.email_hash = a.email_hash and ${isOfVisitor(sql, organizationId)}
            offset 0
          ) as v
          order by v.organization_id, v.email_hash`
      }

      return PeopleStore.of({
        transaction: (effect) =>
          Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
        takeTurn,
        operatorOrganization,
        hasErased,
        prepare,
        known,
        stage,
        merge,
        lead,
      })
    }),
  )
}

/** Shared people are of the visitors of every organization. */
const isOfVisitor = (sql: SqlClient.SqlClient, organizationId: string) =>
  organizationId === sharedOrganizationId ? sql`true` : sql`v.organization_id = ${organizationId}`

const valueAt = ({ values }: ImportRow["said"], place: number) =>
  // Behind the fields stands the hash, which is the key.
  values[place < personFields.length ? place : place + 1] ?? null

/**
 * Of every staged person what it will be: what is said, where nothing is said what was; null where it
 * is cleared. Who is new is inserted, who changes is updated, and a change of somebody this import has
 * written before counts no second time.
 */
const mergeStatement = (sql: SqlClient.SqlClient) => {
  const columns = personFields.map(({ column }) => column)
  const list = (alias: string) => sql.csv(columns.map((name) => sql`${sql(alias)}.${sql(name)}`))
  const names = sql.csv(columns.map((name) => sql`${sql(name)}`))
  const merged = sql.csv(
    columns.map((name, place) => sql`${mergedValue(sql, name, place)} as ${sql(name)}`),
  )
  const assignments = sql.csv(columns.map((name) => sql`${sql(name)} = excluded.${sql(name)}`))

  return ({ organizationId, importId }: ImportOrigin) => {
    return sql<Merged>`
      with merged as materialized (
        select
          s.position, s.email_hash, n.*,
          p.email_hash is null as is_new,
          p.import_id is not distinct from ${importId}::uuid and p.import_id is not null as is_repeated,
          p.email_hash is not null
            and (${list("p")}) is distinct from (${list("n")}) as is_changed
        from import_person s
        left join lateral (
          select * from person
          where organization_id = ${organizationId} and email_hash = s.email_hash
          limit 1
        ) as p on true
        cross join lateral (select ${merged}) as n
      ), written as (
        insert into person (organization_id, email_hash, import_id, ${names})
        select ${organizationId}::uuid, m.email_hash, ${importId}::uuid, ${list("m")}
        from merged m
        where m.is_new or m.is_changed
        order by m.email_hash
        on conflict (organization_id, email_hash) do update set
          ${assignments}, import_id = excluded.import_id, updated_at = now()
      ), address as (
        select
          m.position, m.is_new, m.email_hash as person_hash,
          encode(sha256(convert_to(e.email, 'UTF8')), 'hex') as email_hash
        from merged m
        cross join lateral (
          select unnest(m.emails || array[m.business_email, m.personal_email]) as email
        ) as e
        where (m.is_new or m.is_changed) and e.email is not null and e.email is distinct from m.email
      ), named as (
        insert into import_person_address (position, person_hash, email_hash)
        select a.position, a.person_hash, a.email_hash
        from address a
        where a.email_hash <> a.person_hash
      ), forgotten as (
        delete from person_address
        where ctid = any (array(
          select old.ctid
          from merged m
          cross join lateral (
            select a.ctid
            from person_address a
            where a.organization_id = ${organizationId}
              and a.person_hash = m.email_hash
              and not a.is_link
              and not exists (
                select
                from unnest(m.emails || array[m.business_email, m.personal_email]) as e (email)
                where encode(sha256(convert_to(e.email, 'UTF8')), 'hex') = a.email_hash
              )
            offset 0
          ) as old
          where m.is_changed
        ))
      ), touched as (
        select distinct v.organization_id, v.email_hash
        from merged m
        cross join lateral (
          select v.organization_id, v.email_hash
          from visitor_address v
          where v.email_hash = m.email_hash and ${isOfVisitor(sql, organizationId)}
          offset 0
        ) as v
        where m.is_new or m.is_changed
      )
      select c.inserted, c.updated, t.touched
      from (
        select
          count(*) filter (where is_new)::int as inserted,
          count(*) filter (where is_changed and not is_repeated)::int as updated
        from merged
      ) as c
      cross join (
        select coalesce(jsonb_agg(jsonb_build_object(
          'organizationId', t.organization_id, 'emailHash', t.email_hash
        ) order by t.organization_id, t.email_hash), '[]') as touched
        from touched t
      ) as t`.pipe(
      Effect.map(([row]) => row!), // An aggregate answers one row.
    )
  }
}

interface Merged extends Changed {
  readonly touched: ReadonlyArray<KnownAddress>
}

/** Of the staged row `s` and the known one `p`. */
const mergedValue = (sql: SqlClient.SqlClient, column: string, place: number) => {
  const isCleared = sql`s.cleared & ${sql.literal(String(2 ** place))} <> 0`
  const said = sql`s.${sql(column)}`
  const known = sql`p.${sql(column)}`
  switch (column) {
    case "emails":
    case "phones":
      return sql`case when ${isCleared} then '{}'::text[] else coalesce(${said}, ${known}, '{}'::text[]) end`
    case "phones_dnc":
      // Marks are of the phones they came with; one mark may stand for all.
      return sql`case
        when ${isCleared} then null
        when s.phones_dnc is not null then s.phones_dnc
        when s.phones_dnc_all is not null then nullif(
          array_fill(s.phones_dnc_all, array[cardinality(coalesce(s.phones, p.phones))]), '{}'
        )
        when s.phones is distinct from p.phones and s.phones is not null then null
        when s.cleared & ${sql.literal(String(phonesBit))} <> 0 then null
        else p.phones_dnc
      end`
    default:
      return sql`case when ${isCleared} then null else coalesce(${said}, ${known}) end`
  }
}

const phonesBit = 2 ** personFields.findIndex(({ column }) => column === "phones")
