// SQL for connected accounts. A removed account keeps its row, without credentials, for the destinations that refer to
// it.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import type { AppSlug } from "../connectors/connectors.ts"
import type { AccountStatus, Health } from "./account.ts"

/** How often an account is probed. spec 4.5. */
const probeInterval = "15 minutes"
/** How long a worker that is lost during a probe keeps the account. */
const probeLease = "1 minute"

export interface AccountKey {
  readonly organizationId: string
  readonly accountId: string
}

export interface AccountRow {
  readonly organizationId: string
  readonly id: string
  readonly appSlug: AppSlug
  readonly automationAccountId: string
  readonly accountName: string | null
  /** Null means the server's default. */
  readonly baseUrl: string | null
  /** Encrypted; null once removed. */
  readonly credentials: Uint8Array | null
  readonly status: AccountStatus
  readonly refusals: number
  readonly lastSyncedAt: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")

  const columns = sql.literal(`
    organization_id as "organizationId", id, app_slug as "appSlug",
    automation_account_id as "automationAccountId", account_name as "accountName",
    base_url as "baseUrl", credentials, status, refusals,
    ${isoTime("last_synced_at")} as "lastSyncedAt"`)
  const at = ({ accountId, organizationId }: AccountKey) =>
    sql`organization_id = ${organizationId} and id = ${accountId}`

  const find = (key: AccountKey, lock: typeof nothing) =>
    sql<AccountRow>`
      select ${columns} from connected_account
      where ${at(key)} and deleted_at is null
      ${lock}`.pipe(Effect.map((rows) => rows[0]))

  return {
    /** Newest first. */
    list: (organizationId: string): Effect.Effect<ReadonlyArray<AccountRow>> =>
      sql<AccountRow>`
        select ${columns} from connected_account
        where organization_id = ${organizationId} and deleted_at is null
        order by created_at desc, id desc`.pipe(Effect.orDie),

    /** Undefined for an unknown id, a removed account, or an account of another organization. */
    find: (key: AccountKey): Effect.Effect<AccountRow | undefined> =>
      Effect.orDie(find(key, nothing)),

    /** Like `find`, and locks the row until the caller's transaction ends. */
    findForChange: (key: AccountKey): Effect.Effect<AccountRow | undefined, DatabaseError> =>
      find(key, sql.literal("for update")),

    /** Counts accounts and blocks other counts of the organization until the transaction ends. */
    countForInsert: (organizationId: string): Effect.Effect<number, DatabaseError> =>
      Effect.gen(function* () {
        yield* sql`select from organization where id = ${organizationId} for no key update`
        // A separate statement sees what was committed before the lock was acquired.
        const rows = yield* sql<{ readonly total: number }>`
          select count(*)::int as total from connected_account
          where organization_id = ${organizationId} and deleted_at is null`
        return rows[0]!.total
      }),

    insert: (
      account: Pick<
        AccountRow,
        | "accountName"
        | "appSlug"
        | "automationAccountId"
        | "baseUrl"
        | "credentials"
        | "id"
        | "organizationId"
      >,
    ): Effect.Effect<AccountRow, DatabaseError> =>
      sql<AccountRow>`
        insert into connected_account
          (organization_id, id, app_slug, automation_account_id, account_name, base_url,
            credentials, status)
        values (${account.organizationId}, ${account.id}, ${account.appSlug},
          ${account.automationAccountId}, ${account.accountName}, ${account.baseUrl},
          ${account.credentials}, 'healthy')
        returning ${columns}`.pipe(Effect.map((rows) => rows[0]!)),

    /** Stores a probe's result. Call it after `findForChange`. */
    noteProbe: (
      key: AccountKey,
      { refusals, status }: Health,
    ): Effect.Effect<AccountRow, DatabaseError> =>
      sql<AccountRow>`
        update connected_account set status = ${status}, refusals = ${refusals},
          last_synced_at = clock_timestamp(), updated_at = clock_timestamp(),
          probe_due_at = clock_timestamp() + ${probeInterval}::interval
        where ${at(key)}
        returning ${columns}`.pipe(Effect.map((rows) => rows[0]!)),

    /** False if it does not exist. */
    remove: (key: AccountKey): Effect.Effect<boolean, DatabaseError> =>
      sql`
        update connected_account set status = 'disconnected', credentials = null,
          deleted_at = clock_timestamp(), updated_at = clock_timestamp()
        where ${at(key)} and deleted_at is null
        returning id`.pipe(Effect.map((rows) => rows.length > 0)),

    /** Marks destinations that use the account as needing attention. */ // spec 4.3
    stopDestinations: (
      { accountId, organizationId }: AccountKey,
      statuses: ReadonlyArray<"active" | "paused">,
      message: string,
    ): Effect.Effect<void, DatabaseError> =>
      sql`
        update destination set status = 'needs_attention',
          last_error_code = 'ACCOUNT_DISCONNECTED', last_error_message = ${message},
          last_error_at = clock_timestamp(), updated_at = clock_timestamp()
        where organization_id = ${organizationId} and connected_account_id = ${accountId}
          and deleted_at is null and status in ${sql.in(statuses)}`.pipe(Effect.asVoid),

    /**
     * Takes accounts whose probe is due.
     *
     * *Guarantee*: each goes to exactly one worker.
     */
    takeDue: (limit: number): Effect.Effect<ReadonlyArray<AccountKey>> =>
      sql<AccountKey>`
        with due as materialized (
          select organization_id, id from connected_account
          where deleted_at is null and status <> 'disconnected'
            and probe_due_at <= clock_timestamp()
          order by probe_due_at
          limit ${limit}
          for update skip locked
        )
        update connected_account as account
        set probe_due_at = clock_timestamp() + ${probeLease}::interval
        from due
        where account.organization_id = due.organization_id and account.id = due.id
        returning account.organization_id as "organizationId", account.id as "accountId"`.pipe(
        Effect.orDie,
      ),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class AccountsStore extends Context.Service<AccountsStore, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/AccountsStore",
) {
  static readonly layer = Layer.effect(AccountsStore, make)
}
