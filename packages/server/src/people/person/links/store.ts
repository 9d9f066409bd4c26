// SQL for identity links. Address links are stored in `person_address`, where they take precedence over the
// addresses in people's records; other links in `identity_link`.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { Changed, ImportOrigin } from "../../imports/import-kind.ts"
import type { KnownAddress } from "../visitor-enrichment.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** An external id that a person was identified with, and the person's address. */
export interface SubmittedExternalId {
  readonly organizationId: string
  readonly externalId: string
  readonly emailHash: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Creates the temporary table if the connection doesn't have it yet. Each transaction leaves it empty. */
  const prepare = sql`
    create temporary table if not exists import_link (
      kind text not null,
      value text collate "C" not null,
      email_hash text collate "C" not null
    ) on commit delete rows`.pipe(Effect.asVoid)

  const mergeAddresses = ({ organizationId, importId }: ImportOrigin): Result<Changed> =>
    sql<Changed>`
      with merged as materialized (
        select
          s.value, s.email_hash,
          a.email_hash is null or not a.is_link as is_new,
          a.is_link and a.person_hash <> s.email_hash as is_changed,
          coalesce(a.is_link and a.import_id = ${importId}::uuid, false) as is_repeated
        from import_link s
        left join lateral (
          select email_hash, person_hash, is_link, import_id
          from person_address
          where organization_id = ${organizationId} and email_hash = s.value
          limit 1
        ) as a on true
        where s.kind = 'email'
      ), written as (
        insert into person_address
          (organization_id, email_hash, person_hash, is_link, import_id)
        select ${organizationId}::uuid, m.value, m.email_hash, true, ${importId}::uuid
        from merged m
        where m.is_new or m.is_changed
        order by m.value
        on conflict (organization_id, email_hash) do update set
          person_hash = excluded.person_hash,
          is_link = true,
          import_id = excluded.import_id
      )
      ${counted}`.pipe(Effect.map(([row]) => row!)) // An aggregate returns one row.

  const mergeOthers = ({ organizationId, importId }: ImportOrigin): Result<Changed> =>
    sql<Changed>`
      with merged as materialized (
        select
          s.kind, s.value, s.email_hash,
          l.value is null as is_new,
          l.email_hash <> s.email_hash as is_changed,
          coalesce(l.import_id = ${importId}::uuid, false) as is_repeated
        from import_link s
        left join lateral (
          select value, email_hash, import_id
          from identity_link
          where organization_id = ${organizationId} and kind = s.kind and value = s.value
          limit 1
        ) as l on true
        where s.kind <> 'email'
      ), written as (
        insert into identity_link (organization_id, kind, value, email_hash, import_id)
        select ${organizationId}::uuid, m.kind, m.value, m.email_hash, ${importId}::uuid
        from merged m
        where m.is_new or m.is_changed
        order by m.kind, m.value
        on conflict (organization_id, kind, value) do update set
          email_hash = excluded.email_hash,
          import_id = excluded.import_id
      )
      ${counted}`.pipe(Effect.map(([row]) => row!)) // An aggregate returns one row.

  const counted = sql`
    select
      count(*) filter (where is_new)::int as inserted,
      count(*) filter (where is_changed and not is_new and not is_repeated)::int as updated
    from merged`

  const enrichesVisitor = (organizationId: string, alias: string) =>
    organizationId === sharedOrganizationId
      ? sql`true`
      : sql`${sql(alias)}.organization_id = ${organizationId}`

  /** Returns the addresses in staged address links that a visitor has. */
  const touched = ({ organizationId }: ImportOrigin): Result<ReadonlyArray<KnownAddress>> =>
    sql<KnownAddress>`
      select distinct v.organization_id as "organizationId", v.email_hash as "emailHash"
      from import_link s
      cross join lateral (values (s.value), (s.email_hash)) as e (email_hash)
      cross join lateral (
        select v.organization_id, v.email_hash
        from visitor_address v
        where v.email_hash = e.email_hash and ${enrichesVisitor(organizationId, "v")}
        offset 0
      ) as v
      where s.kind = 'email'
      order by "organizationId", "emailHash"`

  /** Assigns visitors identified with a staged external id to its person. Returns their addresses. */
  const joinExternalIds = ({ organizationId }: ImportOrigin): Result<ReadonlyArray<KnownAddress>> =>
    sql<KnownAddress>`
      with submitted as (
        select v.organization_id, v.email_hash, max(s.email_hash) as person_hash
        from import_link s
        cross join ${
          organizationId === sharedOrganizationId
            ? sql`organization o`
            : sql`(select ${organizationId}::uuid as id) as o`
        }
        cross join lateral (
          select p.organization_id, p.visitor_id
          from visitor_pixel p
          where p.organization_id = o.id
            and p.custom_attribution ? 'external_id'
            and p.custom_attribution #>> '{external_id,0}' = s.value
          offset 0
        ) as p
        join visitor v on v.organization_id = p.organization_id and v.id = p.visitor_id
        where s.kind = 'external_id' and v.email_hash <> s.email_hash
        group by v.organization_id, v.email_hash
      )
      ${assigned}`

  /** The same for external ids in incoming events. Returns the addresses that belong to another person now. */
  const assignExternalIds = (
    all: ReadonlyArray<SubmittedExternalId>,
  ): Result<ReadonlyArray<KnownAddress>> =>
    sql<KnownAddress>`
      with submitted as (
        select distinct on (k."organizationId", k."emailHash")
          k."organizationId" as organization_id, k."emailHash" as email_hash,
          l.email_hash as person_hash
        from jsonb_to_recordset(${JSON.stringify(all)}::text::jsonb)
          as k ("organizationId" uuid, "externalId" text, "emailHash" text)
        join identity_link l
          on l.organization_id in (k."organizationId", ${sharedOrganizationId})
          and l.kind = 'external_id'
          and l.value = k."externalId"
        where l.email_hash <> k."emailHash"
        order by
          k."organizationId", k."emailHash",
          l.organization_id = ${sharedOrganizationId}, l.email_hash
      )
      ${assigned}`

  /** A link imported for the address itself takes precedence over one through an external id. */
  const assigned = sql`
    , written as (
      insert into person_address (organization_id, email_hash, person_hash, is_link)
      select s.organization_id, s.email_hash, s.person_hash, true
      from submitted s
      on conflict (organization_id, email_hash) do update set
        person_hash = excluded.person_hash,
        is_link = true
      where not person_address.is_link
    )
    select s.organization_id as "organizationId", s.email_hash as "emailHash"
    from submitted s
    order by s.organization_id, s.email_hash`

  return {
    prepare,
    mergeAddresses,
    mergeOthers,
    touched,
    joinExternalIds,
    assignExternalIds,
  }
})

export class LinksStore extends Context.Service<LinksStore, Effect.Success<typeof make>>()(
  "@footfall/server/people/LinksStore",
) {
  static readonly layer = Layer.effect(LinksStore, make)
}
