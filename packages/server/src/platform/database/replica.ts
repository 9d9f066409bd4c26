// The read replica (spec 18.5). Lists, queries, previews and exports read from it while it is fresh enough, otherwise
// from the primary. Before each read, `read` checks two things: the replica has replayed what was committed before the
// bound, and every milestone of the organization. A read that fails on the replica runs again on the primary, so no
// error of the replica reaches a client.
import { PgConnection } from "@effect/sql-pg"
import {
  Cause,
  Clock,
  Context,
  Effect,
  Metric,
  Option,
  type Redacted,
  Schedule,
  type Scope,
} from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { sqlErrorWords } from "./database-error.ts"
import { milestonesOf } from "./milestones.ts"
import { OnReplica } from "./on-replica.ts"
import { isBehind, laterOf, ReplicaLag } from "./replica-lag.ts"
import { connectionError } from "./silent-database.ts"
import { ConnectionWait } from "./statement-limits.ts"

/** `DATABASE_READ_URL` and `DATABASE_READ_MAX_LAG`. Undefined: no replica. */
export const ReplicaConfig = Context.Reference<
  { readonly url: Redacted.Redacted; readonly maxLagSeconds: number } | undefined
>("@footfall/server/database/ReplicaConfig", { defaultValue: () => undefined })

/** The bound of one request: how many seconds old its answer may be, 0 for the primary. */ // spec 18.5.5
export const MaxStaleness = Context.Reference<number>("@footfall/server/database/MaxStaleness", {
  defaultValue: () => Number.POSITIVE_INFINITY,
})

export interface ReplicaShape {
  /**
   * Reads from the replica if it is fresh enough. The effect must only read, and may run twice. `atLeast`: a log
   * position from `position` that the database read from must have reached.
   */
  read<A, E, R>(
    organizationId: string,
    effect: Effect.Effect<A, E, R>,
    atLeast?: string,
  ): Effect.Effect<A, E, R>
  /**
   * Returns the current log position of the fiber's database: everything read so far was committed before it. Undefined
   * without a replica.
   */
  readonly position: Effect.Effect<string | undefined>
}

/** Default: no replica; everything is read from the primary. */
export const Replica = Context.Reference<ReplicaShape>("@footfall/server/database/Replica", {
  defaultValue: () => ({
    read: (_, effect) => effect,
    position: Effect.succeed(undefined),
  }),
})

/** The monitor's interval, and how long the monitor and a read wait for the replica. */
const interval = "500 millis"
const lookMs = 2_000
const askMs = 1_000

const up = Metric.gauge("footfall_replica_up", {
  description: "Whether the read replica is in use: 1 or 0",
})
const lagSeconds = Metric.gauge("footfall_replica_lag_seconds", {
  description: "For how long the read replica may have missed commits",
})
const reads = Metric.counter("footfall_replica_reads", {
  description:
    "Reads that the replica may serve: replica, or why the primary served them: asked, unavailable, behind, failed",
  incremental: true,
})

type Outcome = "replica" | "asked" | "unavailable" | "behind" | "failed"

/** Works with a client whose `OnReplica` fibers read from the replica. */
export const makeReplica = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  maxLagMs: number,
): Effect.fn.Return<ReplicaShape, never, Scope.Scope> {
  const milestones = milestonesOf(sql)
  const lag = new ReplicaLag(maxLagMs)
  const onReplica = <A, E, R>(effect: Effect.Effect<A, E, R>, withinMs: number) =>
    effect.pipe(
      Effect.provideService(OnReplica, true),
      Effect.provideService(ConnectionWait, withinMs),
      Effect.timeoutOrElse({
        duration: withinMs,
        orElse: () =>
          Effect.fail(connectionError("the read replica did not respond in time", "query")),
      }),
    )
  const onPrimary = Effect.provideService(OnReplica, false)
  const nowMs = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000_000n))

  /** Why the replica is not in use; undefined while it is. */
  let outOfUse: string | undefined = "it was not checked yet"
  const note = Effect.fnUntraced(function* (reason: string | undefined) {
    yield* Metric.update(up, reason === undefined ? 1 : 0)
    if (reason === outOfUse) return
    const wasInUse = outOfUse === undefined
    outOfUse = reason
    if (reason === undefined) yield* Effect.logInfo("the read replica is in use")
    else if (wasInUse) {
      yield* Effect.logWarning(`the read replica is not in use: ${reason}. The primary answers`)
    }
  })

  const watch = Effect.gen(function* () {
    const at = yield* nowMs
    const primary = yield* onPrimary(lookedAt(sql))
    lag.note(at, primary.place)
    const replica = yield* onReplica(lookedAt(sql), lookMs)
    const wrong = wrongWith(replica, primary)
    if (wrong !== undefined) return wrong
    lag.passed(replica.place)
    const now = yield* nowMs
    const lagMs = lag.lagMs(now)
    if (lagMs === undefined) return "it is behind"
    yield* Metric.update(lagSeconds, lagMs / 1_000)
    return lagMs > maxLagMs ? "it is behind" : undefined
  }).pipe(
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      return Effect.succeed(SqlError.isSqlError(error) ? sqlErrorWords(error) : String(error))
    }),
    Effect.flatMap(note),
  )
  yield* watch.pipe(Effect.andThen(Effect.sleep(interval)), Effect.forever, Effect.forkScoped)

  /** Chooses the database for a read. */
  const placed = Effect.fnUntraced(function* (organizationId: string, atLeast: string | undefined) {
    const stalenessMs = (yield* MaxStaleness) * 1_000
    if (stalenessMs === 0) return "asked" as const
    if (outOfUse !== undefined) return "unavailable" as const
    const place = lag.placeWithin(Math.min(stalenessMs, maxLagMs), yield* nowMs)
    if (place === undefined) return "behind" as const
    const wanted = atLeast === undefined ? place : laterOf(place, atLeast)
    const [required, state] = yield* Effect.all(
      [
        Effect.orDie(milestones.count(organizationId)),
        Effect.result(onReplica(milestones.state(organizationId, wanted), askMs)),
      ],
      { concurrency: "unbounded" },
    )
    if (state._tag === "Failure") {
      yield* note(sqlErrorWords(state.failure))
      return "unavailable" as const
    }
    const { isFresh, isReplica, milestones: found } = state.success
    return isReplica && isFresh && found >= required ? ("replica" as const) : ("behind" as const)
  })

  const counted = (outcome: Outcome) => Metric.update(Metric.withAttributes(reads, { outcome }), 1)

  return {
    read: <A, E, R>(organizationId: string, effect: Effect.Effect<A, E, R>, atLeast?: string) =>
      Effect.gen(function* () {
        const isElsewhere =
          (yield* OnReplica) || Option.isSome(yield* Effect.serviceOption(sql.transactionService))
        if (isElsewhere) return yield* effect
        const outcome = yield* placed(organizationId, atLeast)
        yield* counted(outcome)
        if (outcome !== "replica") return yield* effect
        return yield* Effect.catchCause(
          Effect.provideService(effect, OnReplica, true),
          (cause: Cause.Cause<E>) => {
            const error = replicaError(cause)
            return error === undefined
              ? Effect.failCause(cause)
              : Effect.logWarning(`a read from the replica failed: ${sqlErrorWords(error)}`).pipe(
                  Effect.andThen(counted("failed")),
                  Effect.andThen(onPrimary(effect)),
                )
          },
        )
      }),
    position: Effect.orDie(Effect.map(lookedAt(sql), ({ place }) => place)),
  }
})

interface Looked {
  readonly isReplica: boolean
  readonly place: string
  /** Identical on a primary and its replicas. */
  readonly database: string
}

const look = `
  select pg_is_in_recovery() as "isReplica",
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
      else pg_current_wal_insert_lsn() end::text as place,
    (select system_identifier from pg_control_system()) || ' ' ||
      (select oid from pg_database where datname = current_database()) as database`

const lookedAt = (sql: SqlClient.SqlClient): Effect.Effect<Looked, SqlError.SqlError> =>
  Effect.map(sql.unsafe<Looked>(look), (rows) => rows[0]!) // Always one row.

const wrongWith = (replica: Looked, primary: Looked): string | undefined =>
  !replica.isReplica
    ? "DATABASE_READ_URL does not name a replica"
    : replica.database === primary.database
      ? undefined
      : "DATABASE_READ_URL names a replica of another database"

/**
 * Says for an operator what is wrong with a replica of the client's database. Undefined if within `withinMs` it has
 * caught up with the primary.
 */
export const replicaProblem = Effect.fnUntraced(
  function* (sql: SqlClient.SqlClient, url: Redacted.Redacted, withinMs: number) {
    const primary = yield* lookedAt(sql)
    const replica = yield* PgConnection.make({ url, connectTimeout: lookMs })
    const ask = Effect.map(replica.query(look), ({ rows }) => rows[0] as unknown as Looked)
    const wrong = wrongWith(yield* ask, primary)
    if (wrong !== undefined) return wrong
    const hasAll = Effect.map(ask, ({ place }) => !isBehind(place, primary.place))
    return yield* hasAll.pipe(
      Effect.repeat({ until: (isThere) => isThere, schedule: Schedule.spaced("100 millis") }),
      Effect.as(undefined),
      Effect.timeoutOrElse({
        duration: withinMs,
        orElse: () => Effect.succeed("It is behind by more than DATABASE_READ_MAX_LAG"),
      }),
    )
  },
  Effect.scoped,
  Effect.catchTag("SqlError", (error) => Effect.succeed(sqlErrorWords(error))),
)

/**
 * Returns an error that only the replica has: a conflict with recovery, a lost connection, an older schema. Not a
 * timeout, because the statement would time out on the primary too.
 */
const replicaError = (cause: Cause.Cause<unknown>): SqlError.SqlError | undefined =>
  cause.reasons
    .map((reason) =>
      Cause.isFailReason(reason)
        ? reason.error
        : Cause.isDieReason(reason)
          ? reason.defect
          : undefined,
    )
    .filter(SqlError.isSqlError)
    .find(({ reason }) => reason._tag !== "StatementTimeoutError")
