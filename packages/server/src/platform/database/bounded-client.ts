// The pool's client, with a limit on every wait: for a connection, and for the response to a statement. At the deadline
// the caller gets a ConnectionError, and the driver cancels the statement or closes its socket. Until then nothing else
// uses that connection. When the database responds again after a silence, a new pool replaces the old.
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Exit, Fiber, Scope } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { awaited, type Deadline } from "./awaited.ts"
import { FewSessions } from "./few-sessions.ts"
import { OnReplica } from "./on-replica.ts"
import {
  connectionError,
  type DatabaseSilence,
  makeSilence,
  outcomeUnknown,
} from "./silent-database.ts"
import {
  answerGraceMs,
  ConnectionWait,
  SessionLimit,
  statementLimitMs,
} from "./statement-limits.ts"

/** `idleTimeout`: how long an unused session stays open. Units: milliseconds. */
type SessionsConfig = PgPool.Config & { readonly idleTimeout: number }

type SqlDeadline = Deadline<SqlError.SqlError>

/**
 * Creates the client over a pool in the scope, and a second pool for fibers that are `OnReplica`. Connects on first
 * use. Errors: as for `PgClient.make`.
 */
export const makeBoundedClient = Effect.fnUntraced(function* (
  config: SessionsConfig,
  replicaConfig?: SessionsConfig,
) {
  const primary = yield* makeSessions(config)
  const replica =
    replicaConfig === undefined ? primary : yield* makeSessions(replicaConfig, "read replica")
  const sessions = Effect.map(OnReplica, (isOnReplica) => (isOnReplica ? replica : primary))
  const transactionConnection = Effect.flatMap(sessions, ({ forTransaction }) => forTransaction)

  const client = yield* SqlClient.make({
    acquirer: transactionConnection,
    borrower: (run) => Effect.flatMap(sessions, ({ borrow }) => borrow(run)),
    transactionAcquirer: transactionConnection,
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    spanAttributes: [["db.system.name", "postgresql"]],
  })
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    json: (value: unknown) => Statement.fragment([jsonParameter(value, undefined, undefined)]),
    listen: (channel: string) =>
      Effect.suspend(() =>
        Effect.flatMap(primary.pool().reserve, (session) => session.listen(channel)),
      ),
    notify: (channel: string, payload: string) =>
      Effect.asVoid(client`select pg_notify(${channel}, ${payload})`),
  }) satisfies PgClient.PgClient
})

/** The sessions of one database: a pool that is replaced after a silence. */
const makeSessions = Effect.fnUntraced(function* (config: SessionsConfig, name = "database") {
  const scope = yield* Scope.Scope
  const open = Effect.gen(function* () {
    const poolScope = yield* Scope.fork(scope)
    return { pool: yield* Scope.provide(PgPool.make(config), poolScope), poolScope }
  })
  let current = yield* open
  const renew = Effect.gen(function* () {
    const former = current
    current = yield* open
    // Waits until the pool's connections are no longer in use.
    yield* Effect.forkDetach(Scope.close(former.poolScope, Exit.void))
  }).pipe(Effect.orDie)
  const silence = yield* makeSilence(config, renew, name)
  const pool = () => current.pool
  const few = new FewSessions(config.idleTimeout)
  return {
    pool,
    borrow: borrower(pool, silence, few),
    forTransaction: transactionConnection(pool, silence, few),
  }
})

/** Recognized by the driver's compiler. */
const jsonParameter = Statement.custom<PgClient.PgCustom>("PgJson")

/** Runs a single statement outside of a transaction. */
const borrower =
  (pool: () => PgPool.PgPool, silence: DatabaseSilence, few: FewSessions): SqlConnection.Borrower =>
  <A, E, R>(run: (connection: SqlConnection.Connection) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(ConnectionWait, (waitMs) =>
      awaited<A, E | SqlError.SqlError, R>((deadline) => {
        const silent = silence.error()
        if (silent !== undefined) return Effect.fail(silent)
        deadline.set(waitMs, noConnection)
        const lent = pool().use((session) =>
          run(
            connectionOf(session, (text, statement) => {
              const operation = reads.test(text) ? "query" : outcomeUnknown
              deadline.set(statementLimitMs + answerGraceMs, () => {
                silence.begin()
                return connectionError(
                  "the database did not respond to a statement in time",
                  operation,
                )
              })
              return failingAs(operation, statement)
            }),
          ),
        )
        return Effect.acquireUseRelease(
          few.take,
          () => lent,
          () => Effect.sync(() => few.giveBack()),
        )
      }),
    )

/** Returns a connection for a transaction, until the scope closes. */
const transactionConnection = (
  pool: () => PgPool.PgPool,
  silence: DatabaseSilence,
  few: FewSessions,
) =>
  Effect.gen(function* () {
    const silent = silence.error()
    if (silent !== undefined) return yield* silent
    const waitMs = yield* ConnectionWait
    const from = pool()
    const leased = yield* Scope.make()
    yield* Effect.acquireRelease(few.take, () => Effect.sync(() => few.giveBack()))
    let givenUp: SqlError.SqlError | undefined
    let working: Fiber.Fiber<unknown, unknown> | undefined

    /** Waits until the driver has finished the abandoned statement. */
    const release = Effect.suspend(() => {
      const close = Scope.close(leased, Exit.void)
      if (givenUp === undefined || working === undefined) return close
      const fiber = working
      return Effect.forkDetach(Effect.andThen(Fiber.await(fiber), close))
    })
    yield* Effect.addFinalizer(() => release)

    const acquire = (deadline: SqlDeadline) => {
      deadline.set(waitMs, () => (givenUp = noConnection()))
      return Effect.tap(Scope.provide(from.reserve, leased), (session) =>
        Scope.addFinalizer(
          leased,
          Effect.suspend(() => (givenUp === undefined ? Effect.void : from.invalidate(session))),
        ),
      )
    }
    const onFiber = (fiber: Fiber.Fiber<unknown, unknown>) => {
      working = fiber
    }
    const session = yield* awaited(acquire, { endsFirst: true, onFiber })

    const limit = new SessionLimit(statementLimitMs)
    return connectionOf(session, (text, statement, values) => {
      if (givenUp !== undefined) return Effect.fail(givenUp)
      limit.note(text, values)
      const operation = text === "COMMIT" ? outcomeUnknown : "query"
      const inTime = (deadline: SqlDeadline) => {
        deadline.set(limit.ms + answerGraceMs, () => {
          silence.begin()
          return (givenUp = connectionError(
            "the database did not respond to a statement in time",
            operation,
          ))
        })
        return failingAs(operation, statement)
      }
      return awaited(inTime, { endsFirst: true, onFiber })
    })
  })

const noConnection = () => connectionError("no connection was free in time", "connect")

/** Matches a read-only statement outside of a transaction. One that starts with `with` may write. */
const reads = /^\s*(select|table|show)\b/i

/** If a connection breaks or does not respond, it is unknown whether a change was made. */
const failingAs = <A>(operation: string, statement: Effect.Effect<A, SqlError.SqlError>) =>
  operation !== outcomeUnknown
    ? statement
    : Effect.catchReason(statement, "SqlError", "ConnectionError", ({ message }) =>
        Effect.fail(connectionError(message ?? "the connection broke", outcomeUnknown)),
      )

/** Postgres answers ROLLBACK to the COMMIT of a failed transaction. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: new Error("COMMIT of a failed transaction"),
              message: "COMMIT of a failed transaction",
              operation: "commit",
            }),
          }),
        )
      : Effect.void,
  )

/** Limits one statement of a connection. */
type Guard = <A>(
  text: string,
  statement: Effect.Effect<A, SqlError.SqlError>,
  values: ReadonlyArray<unknown>,
) => Effect.Effect<A, SqlError.SqlError>

/** Adapts a driver session to the interface of the client. Streams, which nothing uses, have no deadline. */
const connectionOf = (
  session: PgConnection.PgConnection,
  guard: Guard,
): SqlConnection.Connection => {
  const query = (text: string, values: ReadonlyArray<unknown>, isPrepared: boolean) =>
    guard(text, session.query(text, values, isPrepared), values)
  const rows =
    (isPrepared: boolean): SqlConnection.Connection["execute"] =>
    (text, values, transform) =>
      Effect.map(query(text, values, isPrepared), ({ rows }) => transform?.(rows) ?? rows)
  const valuesOnly =
    (isPrepared: boolean): SqlConnection.Connection["executeValues"] =>
    (text, values) =>
      guard(text, session.queryValues(text, values, isPrepared), values)
  return {
    execute: rows(true),
    executeUnprepared: rows(false),
    executeRaw: (text, values) => query(text, values, true),
    executeValues: valuesOnly(true),
    executeValuesUnprepared: valuesOnly(false),
    executeStream: (text, values) => session.stream(text, values),
  }
}
