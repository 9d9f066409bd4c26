// SQL for ids that sources report besides a browser's id: user ids, and browser ids that belong together.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Identifications } from "../ownership.ts"
import type { SessionKey } from "../ownership/store.ts"
import type { BrowserLink } from "../links/store.ts"
import type { Use } from "./sharing.ts"

export interface BrowserKey {
  readonly organizationId: string
  readonly anonymousId: string
}

/** The person a user id belongs to. */
export interface UserIdLink extends BrowserLink {
  /** True if only a browser key reported it. A server key's report replaces it. */
  readonly isOfBrowserKey: boolean
}

/** A browser that became someone's because a browser key had claimed the user id. */
export interface Claim extends BrowserKey {
  readonly userId: string
  /** ISO 8601. */
  readonly occurredAt: string
}

/** A server key's link of a user id that a browser key had given to someone else. */
export interface Correction {
  readonly organizationId: string
  readonly userId: string
  readonly claimedHash: string
  readonly emailHash: string
}

/** A browser that a claim gave to the wrong person. */
export interface MisledBrowser extends BrowserKey {
  readonly claimantId: string
  readonly visitorId: string
  /** Epoch milliseconds of the first claim; null for everything. */
  readonly since: number | null
  readonly identifications: Identifications
}

/** Where a user id was used lately, and whether it turned out to be shared. */ // spec 15.2.12
export interface UserIdUse extends Use {
  readonly organizationId: string
  readonly pixelId: string
  readonly userId: string
  readonly isShared: boolean
  /** What to call it once it is shared; null for an address. */
  readonly text: string | null
}

/** How many expired claims, or uses of user ids, a write deletes. */
const expiredMax = 100

/** Who was identified in a browser, by the hashes of their addresses. */
export interface IdentifiedBrowser extends BrowserKey {
  readonly hashes: Identifications
}

/** A browser id, and the one whose history it joined. */
export interface Joined extends BrowserKey {
  readonly joinedId: string
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const joins = (browsers: ReadonlyArray<BrowserKey>): Result<ReadonlyArray<Joined>> => sql<Joined>`
    select j.organization_id as "organizationId", j.joined_id as "joinedId",
      j.anonymous_id as "anonymousId"
    from json_to_recordset(${JSON.stringify(browsers)}::text::json)
      as k ("organizationId" uuid, "anonymousId" uuid)
    join browser_join j
      on j.organization_id = k."organizationId" and j.joined_id = k."anonymousId"`

  /** Ids joined to the joined id earlier also lead to the new one. */
  const addJoin = ({ anonymousId, joinedId, organizationId }: Joined): Result<void> =>
    Effect.asVoid(
      Effect.andThen(
        sql`
          update browser_join set anonymous_id = ${anonymousId}
          where organization_id = ${organizationId} and anonymous_id = ${joinedId}`,
        sql`
          insert into browser_join (organization_id, joined_id, anonymous_id)
          values (${organizationId}, ${joinedId}, ${anonymousId})
          on conflict (organization_id, joined_id) do update set
            anonymous_id = excluded.anonymous_id`,
      ),
    )

  /** Moves the joined browser's sessions to the other one. */
  const moveSessions = ({ anonymousId, joinedId, organizationId }: Joined) =>
    sql<SessionKey & { readonly visitorId: string | null }>`
      update session set anonymous_id = ${anonymousId}
      where organization_id = ${organizationId} and anonymous_id = ${joinedId}
      returning organization_id as "organizationId", id as "sessionId", visitor_id as "visitorId"`

  /** Returns who was identified in either, and deletes the joined id's row. */
  const takeJoined = ({ anonymousId, joinedId, organizationId }: Joined) =>
    sql<{ readonly identifications: Identifications }>`
      with taken as (
        delete from browser
        where organization_id = ${organizationId} and anonymous_id = ${joinedId}
        returning identifications
      )
      select identifications from taken
      union all
      select identifications from browser
      where organization_id = ${organizationId} and anonymous_id = ${anonymousId}`.pipe(
      Effect.map((rows) => rows.map(({ identifications }) => identifications)),
    )

  /** The address of whoever had each browser last. */
  const owners = (browsers: ReadonlyArray<BrowserKey>): Result<ReadonlyArray<UserIdLink>> =>
    sql<UserIdLink>`
      select b.organization_id as "organizationId", b.anonymous_id as "anonymousId",
        v.email_hash as "emailHash", false as "isOfBrowserKey"
      from json_to_recordset(${JSON.stringify(browsers)}::text::json)
        as k ("organizationId" uuid, "anonymousId" uuid)
      join browser b on b.organization_id = k."organizationId" and b.anonymous_id = k."anonymousId"
      join visitor v on v.organization_id = b.organization_id and v.id = b.visitor_id`

  const identified = (
    browsers: ReadonlyArray<BrowserKey>,
  ): Result<ReadonlyArray<IdentifiedBrowser>> =>
    sql<IdentifiedBrowser>`
      select b.organization_id as "organizationId", b.anonymous_id as "anonymousId", (
          select coalesce(
            jsonb_agg(jsonb_build_array(one -> 0, v.email_hash) order by place), '[]'::jsonb)
          from jsonb_array_elements(b.identifications) with ordinality as all_of (one, place)
          left join visitor v
            on v.organization_id = b.organization_id and v.id = (one ->> 1)::uuid
        ) as hashes
      from json_to_recordset(${JSON.stringify(browsers)}::text::json)
        as k ("organizationId" uuid, "anonymousId" uuid)
      join browser b on b.organization_id = k."organizationId" and b.anonymous_id = k."anonymousId"`

  /** Returns the addresses that were reported with user ids. */
  const links = (browsers: ReadonlyArray<BrowserKey>): Result<ReadonlyArray<UserIdLink>> =>
    sql<UserIdLink>`
      select l.organization_id as "organizationId", k."anonymousId", l.email_hash as "emailHash",
        l.is_of_browser_key as "isOfBrowserKey"
      from json_to_recordset(${JSON.stringify(browsers)}::text::json)
        as k ("organizationId" uuid, "anonymousId" uuid)
      join identity_link l
        on l.organization_id = k."organizationId" and l.kind = 'anonymous_id'
        and l.value = k."anonymousId"::text`

  /** Imported links never change, and a browser key never replaces a server key's link. */
  const link = (named: ReadonlyArray<UserIdLink>): Result<void> =>
    Effect.asVoid(sql`
      insert into identity_link (organization_id, kind, value, email_hash, is_of_browser_key)
      select k."organizationId", 'anonymous_id', k."anonymousId"::text, k."emailHash",
        k."isOfBrowserKey"
      from json_to_recordset(${JSON.stringify(named)}::text::json)
        as k ("organizationId" uuid, "anonymousId" uuid, "emailHash" text, "isOfBrowserKey" boolean)
      on conflict (organization_id, kind, value) do update set
        email_hash = excluded.email_hash, is_of_browser_key = excluded.is_of_browser_key
      where identity_link.import_id is null
        and (identity_link.is_of_browser_key or not excluded.is_of_browser_key)`)

  /** Claims are kept for 30 days, as long as sources may send late events. */
  const claim = (claims: ReadonlyArray<Claim>): Result<void> =>
    Effect.asVoid(sql`
      with expired as (
        delete from user_id_claim
        where ctid = any (array(
          select ctid from user_id_claim
          where claimed_at < now() - interval '30 days'
          order by claimed_at
          limit ${sql.literal(String(expiredMax))}
          for update skip locked
        ))
      )
      insert into user_id_claim (organization_id, anonymous_id, user_id, occurred_at)
      select k."organizationId", k."anonymousId", k."userId", min(k."occurredAt")
      from json_to_recordset(${JSON.stringify(claims)}::text::json)
        as k ("organizationId" uuid, "anonymousId" uuid, "userId" uuid, "occurredAt" timestamptz)
      group by 1, 2, 3
      order by 1, 2, 3
      on conflict (organization_id, anonymous_id, user_id) do update set
        occurred_at = least(user_id_claim.occurred_at, excluded.occurred_at)`)

  /** The browsers of these claims, and the user id's own, which only server keys write to. Ends the claims. */
  const takeMisled = (
    corrections: ReadonlyArray<Correction>,
  ): Result<ReadonlyArray<MisledBrowser>> =>
    sql<MisledBrowser>`
      with corrected as (
        select k.*, claimant.visitor_id as claimant_id, person.visitor_id
        from json_to_recordset(${JSON.stringify(corrections)}::text::json)
          as k ("organizationId" uuid, "userId" uuid, "claimedHash" text, "emailHash" text)
        join visitor_address claimant
          on claimant.organization_id = k."organizationId"
          and claimant.email_hash = k."claimedHash"
        join visitor_address person
          on person.organization_id = k."organizationId" and person.email_hash = k."emailHash"
        where claimant.visitor_id <> person.visitor_id
      ), ended as (
        delete from user_id_claim c
        using corrected k
        where c.organization_id = k."organizationId" and c.user_id = k."userId"
        returning c.organization_id, c.user_id, c.anonymous_id, c.occurred_at
      )
      select b.organization_id as "organizationId", b.anonymous_id as "anonymousId",
        k.claimant_id as "claimantId", k.visitor_id as "visitorId", b.identifications,
        round(extract(epoch from m.since) * 1000)::float8 as since
      from corrected k
      cross join lateral (
        select k."userId" as anonymous_id, null::timestamptz as since
        union all
        select anonymous_id, occurred_at from ended
        where organization_id = k."organizationId" and user_id = k."userId"
      ) as m
      join browser b
        on b.organization_id = k."organizationId" and b.anonymous_id = m.anonymous_id`

  /** Moves the claimant's sessions in these browsers to the right person. */
  const moveMisled = (
    misled: ReadonlyArray<MisledBrowser>,
  ): Result<ReadonlyArray<SessionKey & { readonly loserId: string }>> =>
    sql<SessionKey & { readonly loserId: string }>`
      update session s set visitor_id = k."visitorId"
      from json_to_recordset(${JSON.stringify(misled)}::text::json) as k (
        "organizationId" uuid, "anonymousId" uuid, "claimantId" uuid, "visitorId" uuid, since float8
      )
      where s.organization_id = k."organizationId" and s.anonymous_id = k."anonymousId"
        and s.visitor_id = k."claimantId"
        and (k.since is null or s.ended_at >= to_timestamp(k.since / 1000))
      returning s.organization_id as "organizationId", s.id as "sessionId",
        k."claimantId" as "loserId"`

  const uses = (userIds: ReadonlyArray<BrowserKey>): Result<ReadonlyArray<UserIdUse>> =>
    sql<UserIdUse>`
      select u.organization_id as "organizationId", u.pixel_id as "pixelId", u.user_id as "userId",
        u.browsers, u.addresses, u.shared_at is not null as "isShared", u.text
      from json_to_recordset(${JSON.stringify(userIds)}::text::json)
        as k ("organizationId" uuid, "anonymousId" uuid)
      join user_id_use u
        on u.organization_id = k."organizationId" and u.user_id = k."anonymousId"`

  /** A shared id keeps what it is called and when it was found. One that is not used for 7 days is forgotten. */
  const use = (used: ReadonlyArray<UserIdUse>): Result<void> =>
    Effect.asVoid(sql`
      with expired as (
        delete from user_id_use
        where ctid = any (array(
          select ctid from user_id_use
          where shared_at is null and used_at < now() - interval '7 days'
          order by used_at
          limit ${sql.literal(String(expiredMax))}
          for update skip locked
        ))
      )
      insert into user_id_use (
        organization_id, pixel_id, user_id, browsers, addresses, used_at, shared_at, text
      )
      select k."organizationId", k."pixelId", k."userId", k.browsers, k.addresses, now(),
        case when k."isShared" then now() end, k.text
      from json_to_recordset(${JSON.stringify(used)}::text::json) as k (
        "organizationId" uuid, "pixelId" uuid, "userId" uuid, browsers jsonb, addresses jsonb,
        "isShared" boolean, text text
      )
      order by 1, 3
      on conflict (organization_id, user_id) do update set
        browsers = excluded.browsers, addresses = excluded.addresses, used_at = excluded.used_at,
        shared_at = excluded.shared_at, text = excluded.text`)

  return {
    joins,
    uses,
    use,
    addJoin,
    moveSessions,
    takeJoined,
    owners,
    identified,
    links,
    link,
    claim,
    takeMisled,
    moveMisled,
  }
})

export class UserIdStore extends Context.Service<UserIdStore, Effect.Success<typeof make>>()(
  "@footfall/server/identification/UserIdStore",
) {
  static readonly layer = Layer.effect(UserIdStore, make)
}
