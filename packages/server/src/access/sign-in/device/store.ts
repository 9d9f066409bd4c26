// SQL for device sign-ins, which are found by the digest of either code, because no organization is known yet.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** How long a user has to approve, and how often a terminal may poll. Units: seconds. */ // spec 17.2.1
export const deviceLoginSeconds = 600
export const intervalSeconds = 5

/** Allows for network delay between two polls. Units: seconds. */
const soonestSeconds = intervalSeconds - 1

export interface DeviceLogin {
  readonly clientName: string | null
  readonly clientAddress: string
  readonly expiresAtMs: number
}

export interface PolledDeviceLogin {
  readonly state: "pending" | "approved" | "denied"
  readonly userId: string | null
  readonly organizationId: string | null
  /** Whether the terminal polled too soon. */
  readonly isTooSoon: boolean
}

interface Codes {
  readonly deviceDigest: Uint8Array
  readonly userDigest: Uint8Array
}

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** False if the user code is in use. Deletes expired sign-ins. */
  insert: Effect.fnUntraced(function* (
    login: Codes & Pick<DeviceLogin, "clientName" | "clientAddress">,
  ) {
    yield* sql`delete from device_login where expires_at <= now()`
    const made = yield* sql`
      insert into device_login
        (device_digest, user_digest, client_name, client_address, expires_at)
      values (${login.deviceDigest}, ${login.userDigest}, ${login.clientName},
        ${login.clientAddress}, now() + make_interval(secs => ${deviceLoginSeconds}))
      on conflict do nothing
      returning device_digest`
    return made.length > 0
  }, Effect.orDie),

  /** A sign-in that waits for a decision. */
  find: (userDigest: Uint8Array): Effect.Effect<DeviceLogin | undefined> =>
    sql<DeviceLogin>`
      select client_name as "clientName", client_address as "clientAddress",
        (extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs"
      from device_login
      where user_digest = ${userDigest} and state = 'pending' and expires_at > now()
    `.pipe(
      Effect.map((rows) => rows[0]),
      Effect.orDie,
    ),

  /** False if none waits for a decision. */
  decide: (decision: {
    readonly userDigest: Uint8Array
    readonly state: "approved" | "denied"
    readonly userId: string
    readonly organizationId: string
  }): Effect.Effect<boolean> =>
    sql`
      update device_login
      set state = ${decision.state}, user_id = ${decision.userId},
        organization_id = ${decision.organizationId}
      where user_digest = ${decision.userDigest} and state = 'pending' and expires_at > now()
      returning device_digest
    `.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie,
    ),

  exists: (deviceDigest: Uint8Array): Effect.Effect<boolean> =>
    sql`
      select from device_login where device_digest = ${deviceDigest} and expires_at > now()
    `.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie,
    ),

  /** The user who approved, if any. */
  approver: (deviceDigest: Uint8Array): Effect.Effect<string | undefined> =>
    sql<{ readonly userId: string }>`
      select user_id as "userId" from device_login
      where device_digest = ${deviceDigest} and state = 'approved' and expires_at > now()
    `.pipe(
      Effect.map((rows) => rows[0]?.userId),
      Effect.orDie,
    ),

  /**
   * Records a poll. Locks the row until the transaction ends, so that of two terminals with one code the second finds
   * it used.
   */
  poll: Effect.fnUntraced(function* (deviceDigest: Uint8Array) {
    const rows = yield* sql<PolledDeviceLogin>`
      select state, user_id as "userId", organization_id as "organizationId",
        coalesce(asked_at > now() - make_interval(secs => ${soonestSeconds}), false) as "isTooSoon"
      from device_login
      where device_digest = ${deviceDigest} and expires_at > now()
      for update`
    yield* sql`update device_login set asked_at = now() where device_digest = ${deviceDigest}`
    return rows[0]
  }, Effect.orDie),

  remove: (deviceDigest: Uint8Array): Effect.Effect<void> =>
    sql`delete from device_login where device_digest = ${deviceDigest}`.pipe(
      Effect.asVoid,
      Effect.orDie,
    ),
}))

export class DeviceLoginStore extends Context.Service<
  DeviceLoginStore,
  Effect.Success<typeof make>
>()("@footfall/server/access/DeviceLoginStore") {
  static readonly layer = Layer.effect(DeviceLoginStore, make)
}
