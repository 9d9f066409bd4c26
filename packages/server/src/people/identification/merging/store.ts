// SQL that finds who is connected with some addresses, and that merges two visitors. Each statement handles a list
// across organizations. It looks up shared people and links for each of them.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { organizationTurns } from "../../../platform/database/organization-turns.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { EmailKind } from "../../../collect/visits/email-address.ts"
import type { MergedVisitors } from "../../credits/store.ts"
import type { Person, Profile } from "../profile.ts"
import { personOf, type PersonRow, profileOf } from "../rows.ts"
import type { AddressKey } from "../store.ts"
import type { VendorValues } from "../vendor-values.ts"
import type { Address, StoredVisitor } from "../visitor.ts"
import type { Alias } from "./alias-graph.ts"

/** Maximum addresses looked up that lead to one other address. */
const followersMax = 200

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Visitors with one of the addresses, each with all its addresses. */
  const visitors = (keys: ReadonlyArray<AddressKey>): Result<ReadonlyArray<StoredVisitor>> =>
    sql<VisitorRow>`
      select v.*, a.addresses
      from (
        select distinct t.organization_id, t.visitor_id
        from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
          as k ("organizationId" uuid, "emailHash" text)
        join visitor_address t
          on t.organization_id = k."organizationId" and t.email_hash = k."emailHash"
      ) as f
      join visitor v on v.organization_id = f.organization_id and v.id = f.visitor_id
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
          'emailHash', t.email_hash, 'email', t.email, 'kind', t.kind,
          'firstSeenAt', round(extract(epoch from t.first_seen_at) * 1000)
        ) order by t.first_seen_at, t.email_hash) as addresses
        from visitor_address t
        where t.organization_id = v.organization_id and t.visitor_id = v.id
      ) as a
      order by v.organization_id, v.id`.pipe(Effect.map((rows) => rows.map(visitorOf)))

  /** Imported people whose key is one of the addresses, including shared ones. */
  const people = (keys: ReadonlyArray<AddressKey>): Result<ReadonlyArray<Person>> =>
    sql<PersonRow>`
      with k as (
        select "organizationId" as o, "emailHash" as h
        from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
          as k ("organizationId" uuid, "emailHash" text)
      )
      select p.* from person p
      join (
        select o, h from k
        union
        select ${sharedOrganizationId}::uuid, h from k
      ) as f on p.organization_id = f.o and p.email_hash = f.h
      order by p.organization_id, p.email_hash`.pipe(Effect.map((rows) => rows.map(personOf)))

  /** Returns where the addresses lead, and what leads to them, for the organization of the request. */
  const aliases = (
    keys: ReadonlyArray<AddressKey>,
  ): Result<ReadonlyArray<{ readonly organizationId: string; readonly alias: Alias }>> =>
    sql<{
      readonly asked: string
      readonly organizationId: string
      readonly emailHash: string
      readonly personHash: string
    }>`
      select
        k."organizationId" as asked, a.organization_id as "organizationId",
        a.email_hash as "emailHash", a.person_hash as "personHash"
      from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
        as k ("organizationId" uuid, "emailHash" text)
      cross join lateral (
        select organization_id, email_hash, person_hash
        from person_address
        where organization_id in (k."organizationId", ${sharedOrganizationId})
          and email_hash = k."emailHash"
        union all
        (
          select organization_id, email_hash, person_hash
          from person_address
          where organization_id in (k."organizationId", ${sharedOrganizationId})
            and person_hash = k."emailHash"
          order by organization_id, email_hash
          limit ${followersMax}
        )
      ) as a
      order by a.organization_id, a.email_hash, asked`.pipe(
      Effect.map((rows) => rows.map(({ asked, ...alias }) => ({ organizationId: asked, alias }))),
    )

  /**
   * Notes and tags of both remain. The survivor's owner wins, then that of the loser who comes first. Whoever changes
   * those of a loser holds its row, and finds the survivor afterwards.
   */
  const joinMarks = Effect.fnUntraced(function* (pairs: Statement.Fragment) {
    yield* sql`
      select from ${pairs}
      join visitor v on v.organization_id = k."organizationId" and v.id = k."loserId"
      order by v.organization_id, v.id
      for update of v`
    yield* sql`
      update visitor_note n set visitor_id = k."survivorId"
      from ${pairs}
      where n.organization_id = k."organizationId" and n.visitor_id = k."loserId"`
    yield* sql`
      insert into visitor_tag (organization_id, visitor_id, key, tag)
      select distinct on (k."organizationId", k."survivorId", t.key)
        k."organizationId", k."survivorId", t.key, t.tag
      from ${pairs}
      join visitor_tag t
        on t.organization_id = k."organizationId" and t.visitor_id = k."loserId"
      order by k."organizationId", k."survivorId", t.key, k.place
      on conflict do nothing`
    yield* sql`
      insert into visitor_owner (organization_id, visitor_id, user_id)
      select distinct on (k."organizationId", k."survivorId")
        k."organizationId", k."survivorId", o.user_id
      from ${pairs}
      join visitor_owner o
        on o.organization_id = k."organizationId" and o.visitor_id = k."loserId"
      order by k."organizationId", k."survivorId", k.place
      on conflict do nothing`
  })

  /**
   * Moves everything from the losing visitors to the surviving ones and deletes the losers. The caller writes when the
   * survivors were seen and who they are.
   */
  const join = Effect.fnUntraced(function* (merged: ReadonlyArray<MergedVisitors>) {
    const places = merged.map((pair, place) => ({ ...pair, place }))
    const pairs = sql`jsonb_to_recordset(${JSON.stringify(places)}::text::jsonb)
      as k ("organizationId" uuid, "survivorId" uuid, "loserId" uuid, place int)`
    yield* joinMarks(pairs)
    // A person is identified in their sessions, so the sessions lead to every browser they ever had.
    yield* sql`
      with touched as (
        select b.organization_id, b.anonymous_id
        from ${pairs}
        join browser b
          on b.organization_id = k."organizationId" and b.visitor_id = k."loserId"
        union
        select s.organization_id, s.anonymous_id
        from ${pairs}
        join session s
          on s.organization_id = k."organizationId" and s.visitor_id = k."loserId"
      )
      update browser b set
        visitor_id = coalesce(
          (
            select k."survivorId" from ${pairs}
            where k."organizationId" = b.organization_id and k."loserId" = b.visitor_id
          ),
          b.visitor_id
        ),
        identifications = (
          select jsonb_agg(
            jsonb_build_array(
              e.identification -> 0,
              coalesce(to_jsonb(k."survivorId"), e.identification -> 1)
            ) order by e.place
          )
          from jsonb_array_elements(b.identifications) with ordinality as e (identification, place)
          left join ${pairs}
            on k."organizationId" = b.organization_id
            and k."loserId"::text = e.identification ->> 1
        )
      from touched t
      where b.organization_id = t.organization_id and b.anonymous_id = t.anonymous_id`
    yield* sql`
      update session s set visitor_id = k."survivorId"
      from ${pairs}
      where s.organization_id = k."organizationId" and s.visitor_id = k."loserId"`
    yield* sql`
      update visitor_address a set visitor_id = k."survivorId"
      from ${pairs}
      where a.organization_id = k."organizationId" and a.visitor_id = k."loserId"`
    yield* sql`
      delete from visitor_pixel p
      using ${pairs}
      where p.organization_id = k."organizationId" and p.visitor_id = k."loserId"`
    yield* sql`
      delete from visitor v
      using ${pairs}
      where v.organization_id = k."organizationId" and v.id = k."loserId"`
  })

  /** The next address whose spellings were stored as several visitors (migration 0072), in the order of their keys. */
  const nextSpelling = (after: AddressKey | undefined) =>
    sql<AddressKey>`
      select organization_id as "organizationId", email_hash as "emailHash"
      from spelling_join
      where ${after === undefined ? sql.literal("true") : sql`(organization_id, email_hash) > (${after.organizationId}::uuid, ${after.emailHash})`}
      order by organization_id, email_hash
      limit 1`.pipe(Effect.map(([first]) => first))

  const endSpelling = ({ emailHash, organizationId }: AddressKey): Result<void> =>
    Effect.asVoid(sql`
      delete from spelling_join
      where organization_id = ${organizationId} and email_hash = ${emailHash}`)

  /** Runs the effect in one transaction that holds the organization's turn. */
  const inTurn = <A, E, R>(
    organizationId: string,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | SqlError.SqlError, R> =>
    transaction(Effect.andThen(organizationTurns(sql).wait(organizationId), effect)).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
    )

  return { visitors, people, aliases, join, nextSpelling, endSpelling, inTurn }
})

export class MergingStore extends Context.Service<MergingStore, Effect.Success<typeof make>>()(
  "@footfall/server/identification/MergingStore",
) {
  static readonly layer = Layer.effect(MergingStore, make)
}

interface VisitorRow {
  readonly [column: string]: unknown
  readonly organization_id: string
  readonly id: string
  readonly email_hash: string
  readonly first_seen_at: Date
  readonly addresses: ReadonlyArray<Address & { readonly kind: EmailKind | null }>
  readonly traits: Profile
  readonly vendor: VendorValues
  readonly resolved: Profile
}

const visitorOf = (row: VisitorRow): StoredVisitor => ({
  organizationId: row.organization_id,
  id: row.id,
  emailHash: row.email_hash,
  firstSeenAt: row.first_seen_at.getTime(),
  addresses: row.addresses,
  traits: row.traits,
  vendor: row.vendor,
  resolved: row.resolved,
  profile: profileOf(row),
})
