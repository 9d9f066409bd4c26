// SQL for signing in. It finds rows by user, refresh token chain or invitation, because no organization is known yet.
import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { isoTime } from "../../platform/database/iso-time.ts"
import { Role } from "../role.ts"
import { exchangeRepeatable, refreshLifetime } from "./refresh-token.ts"

/** Sessions per user; beyond this, the least recently used one ends. spec 10.3. */
const sessionsMax = 100

/** How many addresses of a user's sign-ins are remembered, and for how long. */
const knownDays = 90
const knownMax = 20

export interface PasswordHolder {
  readonly userId: string
  /** Null for a user who has not accepted an invitation yet, or who signs in elsewhere. */
  readonly passwordHash: string | null
}

export interface RefreshChain {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly digest: Uint8Array
  readonly isValid: boolean
  readonly isConsole: boolean
  /** Whether it began or its token was exchanged so recently that an exchange may be repeated. */
  readonly isRecent: boolean
}

/** A chain as shown to its user. Timestamps are ISO 8601. */
export interface StoredSession {
  readonly id: string
  readonly isConsole: boolean
  readonly userAgent: string | null
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly expiresAt: string
}

/** An unexpired invitation and its account. */
export interface Invited {
  readonly organizationId: string
  readonly userId: string
  readonly email: string
  readonly passwordHash: string | null
  /** Whether its owner has proven the address. */
  readonly isProven: boolean
  /** Whether the account belongs to an organization already. */
  readonly isMember: boolean
  /** Whether this token proves the address. */
  readonly proves: boolean
  readonly organizationName: string
  readonly role: Role
}

/** An organization as shown in a member's own list. */
export class JoinedOrganization extends Schema.Opaque<JoinedOrganization>()(
  Schema.Struct({ id: Schema.String, name: Schema.String, slug: Schema.String, role: Role }),
) {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seconds = Duration.toSeconds(refreshLifetime)
  const repeatableSeconds = Duration.toSeconds(exchangeRepeatable)

  const chain = (chainId: string, lock: Fragment): Effect.Effect<RefreshChain | undefined> =>
    sql<RefreshChain>`
      select refresh_chain.id, user_id as "userId", email, digest, expires_at > now() as "isValid",
        is_console as "isConsole",
        expires_at > now() + make_interval(secs => ${seconds - repeatableSeconds}) as "isRecent"
      from refresh_chain
      join user_account on user_account.id = refresh_chain.user_id
      where refresh_chain.id = ${chainId}
      ${lock}
    `.pipe(
      Effect.map((rows) => rows[0]),
      Effect.orDie,
    )

  return {
    findUser: (email: string): Effect.Effect<PasswordHolder | undefined> =>
      sql<PasswordHolder>`
        select id as "userId", password_hash as "passwordHash"
        from user_account
        where email = ${email}
      `.pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      ),

    getUser: (userId: string) =>
      sql<{ readonly id: string; readonly email: string; readonly name: string | null }>`
        select id, email, name from user_account where id = ${userId}
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    joined: (userId: string): Effect.Effect<ReadonlyArray<JoinedOrganization>> =>
      Effect.orDie(sql<JoinedOrganization>`
        select organization.id, organization.name, organization.slug, member.role
        from member
        join organization on organization.id = member.organization_id
        where member.user_id = ${userId} and member.accepted_at is not null
        order by member.accepted_at, organization.id`),

    /** The organization of the user's open invitation. */
    invitedTo: (userId: string, organizationId: string): Effect.Effect<JoinedOrganization> =>
      sql<JoinedOrganization>`
        select organization.id, organization.name, organization.slug, member.role
        from member
        join organization on organization.id = member.organization_id
        where member.user_id = ${userId} and member.organization_id = ${organizationId}`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** Starts a chain. Deletes the user's expired ones, and the oldest beyond the limit. */
    insertChain: Effect.fnUntraced(function* (chain: {
      readonly id: string
      readonly userId: string
      readonly digest: Uint8Array
      readonly isConsole: boolean
      readonly userAgent: string | null
    }) {
      yield* sql`
        delete from refresh_chain where user_id = ${chain.userId} and expires_at <= now()`
      yield* sql`
        insert into refresh_chain (id, user_id, digest, expires_at, is_console, user_agent)
        values (${chain.id}, ${chain.userId}, ${chain.digest},
          now() + make_interval(secs => ${seconds}), ${chain.isConsole}, ${chain.userAgent})`
      yield* sql`
        delete from refresh_chain where id in (
          select id from refresh_chain
          where user_id = ${chain.userId}
          order by expires_at desc, id desc offset ${sessionsMax}
        )`
    }, Effect.orDie),

    findChain: (chainId: string) => chain(chainId, sql.literal("")),

    /** Whether the user has signed in from this address before. */
    isKnownAddress: (email: string, addressHash: string): Effect.Effect<boolean> =>
      sql`
        select from known_address
        join user_account on user_account.id = known_address.user_id
        where user_account.email = ${email} and address_hash = ${addressHash}
          and seen_at > now() - make_interval(days => ${knownDays})
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Remembers a sign-in's address. Deletes old ones, and the oldest beyond the limit. */
    keepAddress: Effect.fnUntraced(function* (userId: string, addressHash: string) {
      yield* sql`
        insert into known_address (user_id, address_hash) values (${userId}, ${addressHash})
        on conflict (user_id, address_hash) do update set seen_at = now()`
      yield* sql`
        delete from known_address
        where user_id = ${userId} and (
          seen_at <= now() - make_interval(days => ${knownDays})
          or address_hash in (
            select address_hash from known_address
            where user_id = ${userId}
            order by seen_at desc offset ${knownMax}
          )
        )`
    }, Effect.orDie),

    /** Locks the chain until the transaction ends, so that of two requests with one token the second sees the first. */
    lockChain: (chainId: string) => chain(chainId, sql.literal("for update of refresh_chain")),

    /** Replaces the current token by the next one. */
    moveChain: (chainId: string, digest: Uint8Array): Effect.Effect<void> =>
      sql`
        update refresh_chain
        set digest = ${digest}, expires_at = now() + make_interval(secs => ${seconds})
        where id = ${chainId}
      `.pipe(Effect.asVoid, Effect.orDie),

    /** Ends one of a user's chains, or all. Returns how many. */
    endChains: (userId: string, chainId: string | undefined): Effect.Effect<number> =>
      sql`
        delete from refresh_chain
        where user_id = ${userId} ${chainId === undefined ? sql.literal("") : sql`and id = ${chainId}`}
        returning id
      `.pipe(
        Effect.map((rows) => rows.length),
        Effect.orDie,
      ),

    /** Ends all of a user's chains except one. Returns how many. */
    endOtherChains: (userId: string, keptId: string | undefined): Effect.Effect<number> =>
      sql`
        delete from refresh_chain
        where user_id = ${userId} and id is distinct from ${keptId ?? null}
        returning id
      `.pipe(
        Effect.map((rows) => rows.length),
        Effect.orDie,
      ),

    /** A chain expires a fixed time after its token was last exchanged. */
    sessions: (userId: string): Effect.Effect<ReadonlyArray<StoredSession>> =>
      sql<StoredSession>`
        select id, is_console as "isConsole", user_agent as "userAgent",
          ${sql.literal(isoTime("created_at"))} as "createdAt",
          ${sql.literal(isoTime(`expires_at - make_interval(secs => ${seconds})`))} as "lastUsedAt",
          ${sql.literal(isoTime("expires_at"))} as "expiresAt"
        from refresh_chain
        where user_id = ${userId} and expires_at > now()
        order by refresh_chain.expires_at desc, id`.pipe(Effect.orDie),

    findInvited: (digest: Uint8Array): Effect.Effect<Option.Option<Invited>> =>
      sql<Invited>`
        select member.organization_id as "organizationId", member.user_id as "userId", email,
          password_hash as "passwordHash", proven_at is not null as "isProven",
          exists (
            select from member as joined
            where joined.user_id = user_account.id and joined.accepted_at is not null
          ) as "isMember",
          is_vouched or mail_digest is not distinct from ${digest} as proves,
          organization.name as "organizationName", member.role
        from invitation
        join user_account on user_account.id = invitation.user_id
        join organization on organization.id = invitation.organization_id
        join member on member.organization_id = invitation.organization_id
          and member.user_id = invitation.user_id
        where (digest = ${digest} or mail_digest = ${digest}) and expires_at > now()
      `.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),

    setPassword: (user: {
      readonly id: string
      readonly passwordHash: string
      readonly name: string | undefined
    }): Effect.Effect<void> =>
      sql`
        update user_account
        set password_hash = ${user.passwordHash}, name = coalesce(${user.name ?? null}, name),
          updated_at = now()
        where id = ${user.id}
      `.pipe(Effect.asVoid, Effect.orDie),
  }
})

export class SignInStore extends Context.Service<SignInStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/SignInStore",
) {
  static readonly layer = Layer.effect(SignInStore, make)
}
