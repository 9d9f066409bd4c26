// SQL for repeats.ts. Every statement runs in the request's transaction.
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { transaction } from "../../platform/database/transaction.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface RequestKey {
  readonly organizationId: string
  /** Method and path. */
  readonly operation: string
  readonly key: string
}

export interface KeptAnswer {
  readonly requestHash: Uint8Array
  readonly status: number
  /** Encrypted. */
  readonly answer: Uint8Array
}

const keptHours = 24
const deletedAtOnce = 5_000

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /**
   * Runs in one transaction, which is retried after a deadlock. Rooms inside it treat a deadlock as a defect, because
   * they can't retry their part alone.
   */
  transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchDefect(effect, (defect) =>
      SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect),
    ).pipe(
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.catchIf(SqlError.isSqlError, Effect.die),
    ),

  /** Reserves the key until the transaction ends. False: another request holds it. */
  lock: ({ key, operation, organizationId }: RequestKey): Result<boolean> =>
    Effect.map(
      sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(
        hashtextextended(${`${organizationId} ${operation} ${key}`}, 0)) as locked`,
      ([row]) => row!.locked,
    ),

  find: ({ key, operation, organizationId }: RequestKey): Result<Option.Option<KeptAnswer>> =>
    Effect.map(
      sql<KeptAnswer>`
        select request_hash as "requestHash", status, answer from repeatable_request
        where organization_id = ${organizationId} and operation = ${operation} and key = ${key}
          and created_at > now() - make_interval(hours => ${keptHours})`,
      ([row]) => Option.fromUndefinedOr(row),
    ),

  keep: (
    { key, operation, organizationId }: RequestKey,
    { answer, requestHash, status }: KeptAnswer,
  ): Result<void> =>
    Effect.asVoid(sql`
      insert into repeatable_request
        (organization_id, operation, key, request_hash, status, answer)
      values (${organizationId}, ${operation}, ${key}, ${requestHash}, ${status}, ${answer})
      on conflict (organization_id, operation, key) do update set
        request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer,
        created_at = excluded.created_at`),

  /** Deletes old responses in small batches. */
  deleteOld: Effect.asVoid(
    Effect.repeat(
      sql`
        delete from repeatable_request where (organization_id, operation, key) in (
          select organization_id, operation, key from repeatable_request
          where created_at <= now() - make_interval(hours => ${keptHours})
          limit ${deletedAtOnce}
        ) returning 1`,
      { while: (deleted) => deleted.length === deletedAtOnce },
    ),
  ),
}))

export class RepeatStore extends Context.Service<RepeatStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/RepeatStore",
) {
  static readonly layer = Layer.effect(RepeatStore, make)
}
