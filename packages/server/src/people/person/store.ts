// SQL for imported people, together with merge-store.ts. COPY or a list fills a temporary table with a batch; one
// statement merges it into `person`, another updates `person_address`. Each row looks up its data in a lateral
// subquery, because a plain join would read all people for every batch.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { organizationTurns } from "../../platform/database/organization-turns.ts"
import { transaction } from "../../platform/database/transaction.ts"
import { sharedOrganizationId } from "../../access/organization.ts"
import type { Changed, ImportOrigin } from "../imports/import-kind.ts"
import type { ImportRow } from "../imports/merged-import.ts"
import { enrichesVisitor, mergeStatement } from "./merge-store.ts"
import { personFields } from "./person-fields.ts"
import type { KnownAddress } from "./visitor-enrichment.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export class PeopleStore extends Context.Service<
  PeopleStore,
  {
    /** Runs the effect in one transaction. */
    transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
    /**
     * Waits for the turn of the organization, or of all organizations for shared rows, and holds it until the
     * transaction ends.
     */
    takeTurn(origin: Pick<ImportOrigin, "organizationId">): Result<void>
    /** Whether the organization has erased anyone. */
    hasErased(organizationId: string): Result<boolean>
    /** Creates the temporary tables if the connection doesn't have them yet. Each transaction leaves them empty. */
    readonly prepare: Result<void>
    /** Inserts rows into the staging table without COPY. */
    stage(rows: ReadonlyArray<ImportRow>): Result<void>
    /** Returns which of the keys are people already, and which of them are addresses of visitors. */
    known(
      origin: ImportOrigin,
      keys: ReadonlyArray<string>,
    ): Result<{
      readonly keys: ReadonlySet<string>
      readonly touched: ReadonlyArray<KnownAddress>
    }>
    /** Returns which of the keys are addresses of visitors. */
    addressesOfVisitors(
      origin: ImportOrigin,
      keys: ReadonlyArray<string>,
    ): Result<ReadonlyArray<KnownAddress>>
    /** Merges the staged people. `touched`: keys of changed people that a visitor has. */
    merge(origin: ImportOrigin): Result<Changed & { readonly touched: ReadonlyArray<KnownAddress> }>
    /** Assigns the addresses of the people just merged to them. Returns those that a visitor has. */
    assignAddresses(origin: ImportOrigin): Result<ReadonlyArray<KnownAddress>>
  }
>()("@footfall/server/people/PeopleStore") {
  static readonly layer = Layer.effect(
    PeopleStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const merge = mergeStatement(sql)

      const turns = organizationTurns(sql)

      // Enough memory to sort a batch.
      const takeTurn = ({ organizationId }: Pick<ImportOrigin, "organizationId">) =>
        Effect.andThen(
          sql`select set_config('work_mem', '64MB', true)`,
          organizationId === sharedOrganizationId ? turns.waitForAll : turns.wait(organizationId),
        )

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
            where v.email_hash = k.email_hash and ${enrichesVisitor(sql, organizationId)}
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

      const addressesOfVisitors = ({ organizationId }: ImportOrigin, keys: ReadonlyArray<string>) =>
        sql<KnownAddress>`
          select v.organization_id as "organizationId", v.email_hash as "emailHash"
          from unnest(${`{${keys.join(",")}}`}::text::text[]) as k (email_hash)
          cross join lateral (
            select v.organization_id, v.email_hash from visitor_address v
            where v.email_hash = k.email_hash and ${enrichesVisitor(sql, organizationId)}
            offset 0
          ) as v
          order by v.organization_id, v.email_hash`

      const stage = (rows: ReadonlyArray<ImportRow>) => {
        const json = JSON.stringify(
          rows.map(({ key, submitted }, position) =>
            Object.fromEntries([
              ...stagedColumns.map((column, place) => [column, valueAt(submitted, place)]),
              ["position", position],
              ["email_hash", key],
              ["cleared", submitted.cleared],
            ]),
          ),
        )
        return sql`
          insert into import_person
          select r.* from jsonb_populate_recordset(null::import_person, ${json}::text::jsonb) as r`.pipe(
          Effect.asVoid,
        )
      }

      /** Links stay. If several records of a batch name an address, the last one gets it. */
      const assignAddresses = ({ organizationId, importId }: ImportOrigin) =>
        sql<KnownAddress>`
          with assigned as (
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
            where v.email_hash = a.email_hash and ${enrichesVisitor(sql, organizationId)}
            offset 0
          ) as v
          order by v.organization_id, v.email_hash`

      return PeopleStore.of({
        transaction: (effect) =>
          Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
        takeTurn,
        hasErased,
        prepare,
        known,
        addressesOfVisitors,
        stage,
        merge,
        assignAddresses,
      })
    }),
  )
}

const stagedColumns = [...personFields.map(({ column }) => column), "phones_dnc_all"]

const valueAt = ({ values }: ImportRow["submitted"], place: number) =>
  // The hash follows the fields. It is the key.
  values[place < personFields.length ? place : place + 1] ?? null
