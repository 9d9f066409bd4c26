// SQL for setting passwords. Finds accounts by user, address, or the digest of a mailed token.
import { timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** How long a mailed token is good. */ // spec 5.12.10
export const resetMinutes = 60

/** The account of a token or an address. */
export interface PasswordAccount {
  readonly userId: string
  readonly email: string
  readonly passwordHash: string | null
  /** Whether its owner has proven the address. */
  readonly isProven: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(`
    user_account.id as "userId", email, password_hash as "passwordHash",
    proven_at is not null as "isProven"`)
  const account = (condition: Effect.Effect<ReadonlyArray<PasswordAccount>, unknown>) =>
    condition.pipe(
      Effect.map((rows) => rows[0]),
      Effect.orDie,
    )
  return {
    ofUser: (userId: string): Effect.Effect<PasswordAccount | undefined> =>
      account(sql`select ${columns} from user_account where id = ${userId}`),

    ofEmail: (email: string): Effect.Effect<PasswordAccount | undefined> =>
      account(sql`select ${columns} from user_account where email = ${email}`),

    ofToken: (digest: Uint8Array): Effect.Effect<PasswordAccount | undefined> =>
      account(sql`
        select ${columns} from password_reset
        join user_account on user_account.id = password_reset.user_id
        where digest = ${digest} and expires_at > now()`),

    /** Deletes expired ones. */
    insertReset: Effect.fnUntraced(function* (userId: string, digest: Uint8Array) {
      yield* sql`delete from password_reset where expires_at <= now()`
      yield* sql`
        insert into password_reset (digest, user_id, expires_at)
        values (${digest}, ${userId}, now() + make_interval(mins => ${resetMinutes}))`
    }, Effect.orDie),

    /** Uses up all of the user's tokens. False if this one was already used. */
    takeReset: Effect.fnUntraced(function* (userId: string, digest: Uint8Array) {
      const taken = yield* sql<{ readonly digest: Uint8Array }>`
        delete from password_reset where user_id = ${userId} and expires_at > now()
        returning digest`
      return taken.some((row) => timingSafeEqual(row.digest, digest))
    }, Effect.orDie),

    /** Whether the password is still the previous one; null means there was none. */
    isStill: (userId: string, before: string | null): Effect.Effect<boolean> =>
      sql`
        select 1 from user_account
        where id = ${userId} and password_hash is not distinct from ${before}`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /**
     * Sets the password and ends every session except one, every access token, and approved device sign-ins whose tokens
     * were not fetched.
     */
    set: Effect.fnUntraced(function* (
      userId: string,
      passwordHash: string,
      exceptChain: string | undefined,
    ) {
      yield* sql`
        update user_account
        set password_hash = ${passwordHash}, token_generation = token_generation + 1,
          updated_at = now()
        where id = ${userId}`
      yield* sql`
        delete from refresh_chain
        where user_id = ${userId} and id is distinct from ${exceptChain ?? null}::uuid`
      yield* sql`delete from device_login where user_id = ${userId}`
      yield* sql`delete from password_reset where user_id = ${userId}`
    }, Effect.orDie),

    /** Deletes the addresses of earlier sign-ins, which may have been someone else's. */
    forgetAddresses: (userId: string): Effect.Effect<void> =>
      sql`delete from known_address where user_id = ${userId}`.pipe(Effect.asVoid, Effect.orDie),
  }
})

export class PasswordStore extends Context.Service<PasswordStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/PasswordStore",
) {
  static readonly layer = Layer.effect(PasswordStore, make)
}
