// COPY, which the database client lacks, through `pg` and `pg-copy-streams`; only for imports and exports. A copying
// connection is outside the pool. Inside its transaction, the ordinary client's statements use this connection too, so
// copied rows can be processed, and are committed or rolled back together with everything else.
import { Context, Effect, Layer, Pool, Redacted, type Scope, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError, type Statement } from "effect/sql"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import pg from "pg"
import * as copyStreams from "pg-copy-streams"
import { Deadline } from "./awaited.ts"
import { CopiedRows, type CsvRows } from "./copied-rows.ts"
import { Database } from "./database.ts"
import { OnReplica } from "./on-replica.ts"
import { answerGraceMs, ConnectionWait, SessionLimit } from "./statement-limits.ts"

export interface CopyConnection {
  /**
   * Runs the effect in one transaction of this connection. Guarantee: atomic. Unlike `transaction` it never retries,
   * because the caller must send the rows again.
   */
  transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
  /** Copies lines in COPY's text format into a table. Use it inside `transaction`. */
  into(target: CopyTarget, lines: Iterable<string>): Effect.Effect<void, SqlError.SqlError>
  /** Like `into`, in binary format, including header and trailer. */
  intoBinary(target: CopyTarget, pieces: Iterable<Buffer>): Effect.Effect<void, SqlError.SqlError>
}

export interface CopyTarget {
  readonly table: string
  readonly columns: ReadonlyArray<string>
}

/**
 * Set per transaction, not per session, because behind a pooler the next transaction may use another session. Batches
 * are bounded, so the limits only end statements that hang. The lock timeout exceeds the duration of a pass, which an
 * import waits for.
 */
const begin = `begin;
  set local timezone = 'UTC';
  set local statement_timeout = '60s';
  set local lock_timeout = '30s';
  set local idle_in_transaction_session_timeout = '60s'`

/** The `statement_timeout` of these transactions. */
const copyLimitMs = 60_000

/** Time for a clean disconnect; after that the socket is closed. */
const farewellMs = 1_000

interface Session {
  readonly client: pg.Client
  readonly limit: SessionLimit
}

/** Connections that copy out at the same time. Other callers wait without a limit, so each use must be short. */
export const copiesOutMax = 2

export class Copy extends Context.Service<
  Copy,
  {
    /** Opens a separate connection until the scope closes. */
    readonly connect: Effect.Effect<CopyConnection, SqlError.SqlError, Scope.Scope>
    /**
     * Returns a query's result as CSV without a header. The whole result is kept in memory, so the caller must limit
     * it. Each call is its own statement and transaction.
     */
    csv(query: Statement.Statement<unknown>): Effect.Effect<CsvRows, SqlError.SqlError>
  }
>()("@footfall/server/database/Copy") {
  static readonly layer = Layer.effect(
    Copy,
    Effect.gen(function* () {
      const { address, readAddress } = yield* Database
      const sql = yield* SqlClient.SqlClient

      const open = (name: string, at = address) =>
        Effect.flatMap(ConnectionWait, (waitMs) => {
          const client = new pg.Client({
            connectionTimeoutMillis: waitMs,
            connectionString: Redacted.value(at),
            application_name: name,
            keepAlive: true,
            types: { getTypeParser },
          })
          // The current statement, or the next one, fails with the same error.
          client.on("error", () => undefined)
          const session: Session = {
            client,
            limit: new SessionLimit(copyLimitMs),
          }
          return Effect.as(
            attempt("connect", () => client.connect()),
            session,
          )
        })

      const client = (name: string, at = address) =>
        Effect.acquireRelease(open(name, at), ({ client }) =>
          Effect.promise(() => inTime(client, farewellMs, () => client.end()).catch(() => {})),
        )

      const outwardAt = (at: Redacted.Redacted) =>
        Pool.makeWithTTL({
          acquire: client("footfall export", at),
          min: 0,
          max: copiesOutMax,
          timeToLive: "30 seconds",
        })
      const fromPrimary = yield* outwardAt(address)
      const fromReplica = readAddress === undefined ? fromPrimary : yield* outwardAt(readAddress)

      return Copy.of({
        connect: Effect.map(client("footfall import"), (opened) => copyConnection(opened, sql)),
        csv: (query) =>
          Effect.flatMap(OnReplica, (isOnReplica) => {
            const outward = isOnReplica ? fromReplica : fromPrimary
            return Pool.use(outward, (opened) =>
              // After any failure, the next copy starts on a new connection.
              Effect.onError(copyOut(opened, query), () => Pool.invalidate(outward, opened)),
            )
          }),
      })
    }),
  )
}

const copyConnection = (session: Session, sql: SqlClient.SqlClient): CopyConnection => {
  const connection = connectionOf(session)
  const control = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  return {
    transaction: (effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          control(begin),
          restore(
            Effect.provideService(effect, sql.transactionService, [connection, 0] as const),
          ).pipe(
            Effect.onError(() => Effect.ignore(control("rollback"))),
            Effect.tap(() => control("commit")),
          ),
        ),
      ),
    into: (target, lines) => copyInto(session, target, lines, "text"),
    intoBinary: (target, pieces) => copyInto(session, target, pieces, "binary"),
  }
}

/** Pieces buffered before they are sent: lines are small, but a binary piece holds many rows. */
const piecesAhead = { text: 16, binary: 1 }

const copyInto = (
  session: Session,
  { columns, table }: CopyTarget,
  pieces: Iterable<string | Buffer>,
  format: "text" | "binary",
) =>
  answered(session, "copy", () =>
    pipeline(
      Readable.from(pieces, { objectMode: true, highWaterMark: piecesAhead[format] }),
      session.client.query(
        copyStreams.from(
          `copy ${table} (${columns.join(", ")}) from stdin with (format ${format})`,
        ),
      ),
    ),
  )

/** One message, so that it takes a single round trip. */
const copyOut = (session: Session, query: Statement.Statement<unknown>) =>
  answered(session, "copy", () =>
    copiedRows(
      session.client,
      `${begin}; copy (${withLiterals(query)}) to stdout with (format csv); commit`,
    ),
  )

const copiedRows = (client: pg.Client, statement: string) =>
  new Promise<CsvRows>((resolve, reject) => {
    client.query(
      new CopiedRows(statement, (outcome) =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome),
      ),
    )
  })

/** COPY takes no parameters, so the query's values (texts and numbers) become part of its text. */
const withLiterals = (query: Statement.Statement<unknown>): string => {
  const [text, values] = query.compile()
  return text.replaceAll(/\$(\d+)/g, (_, place: string) =>
    pg.escapeLiteral(String(values[Number(place) - 1])),
  )
}

/** Adapts the connection to the interface of the ordinary client. */
const connectionOf = (session: Session): SqlConnection.Connection => {
  const query = (text: string, values: ReadonlyArray<unknown>) => {
    session.limit.note(text, values)
    return answered(session, "query", () =>
      session.client.query<Record<string, unknown>>(text, [...values]),
    )
  }
  const execute: SqlConnection.Connection["execute"] = (text, values, transformRows) =>
    Effect.map(query(text, values), ({ rows }) => transformRows?.(rows) ?? rows)
  const executeValues: SqlConnection.Connection["executeValues"] = (text, values) =>
    Effect.map(query(text, values), ({ rows }) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: query,
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (text, values, transformRows) =>
      Stream.fromIterableEffect(execute(text, values, transformRows)),
  }
}

/** The same types as the ordinary client: 8-byte integers are bigints, dates are texts. ADR 12. */
const getTypeParser: typeof pg.types.getTypeParser = (id: number, format?: "text" | "binary") => {
  if (format !== "binary" && id === pg.types.builtins.INT8) return BigInt
  if (format !== "binary" && id === pg.types.builtins.DATE) return String
  // The overloads only differ by format, which is passed on.
  return pg.types.getTypeParser(id, format as "text")
}

/** Runs a statement for as long as Postgres allows; after that, closes the connection. */
const answered = <A>({ client, limit }: Session, operation: string, run: () => Promise<A>) =>
  attempt(operation, () => inTime(client, limit.ms + answerGraceMs, run))

/** Closes the socket at the deadline, so that everything waiting for a response fails. */
const inTime = <A>(client: pg.Client, ms: number, run: () => Promise<A>): Promise<A> => {
  const deadline = new Deadline<Error>((error) => client.connection.stream.destroy(error))
  deadline.set(ms, () => new Error("the database did not respond in time"))
  return run().finally(() => deadline.clear())
}

/** Not interruptible, because a connection is unusable until its statement ends. */
const attempt = <A>(operation: string, run: () => Promise<A>) =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (cause) => new SqlError.SqlError({ reason: reasonOf(cause, operation) }),
    }),
  )

/** The reasons callers distinguish, by SQLSTATE. */
const reasonOf = (cause: unknown, operation: string): SqlError.SqlErrorReason => {
  const code = cause instanceof pg.DatabaseError ? cause.code : undefined
  const properties = { cause, operation, message: `${operation} failed` }
  if (code === undefined || code.startsWith("08") || code.startsWith("57P")) {
    return new SqlError.ConnectionError(properties)
  }
  switch (code) {
    case "23505":
      return new SqlError.UniqueViolation({
        ...properties,
        constraint: cause instanceof pg.DatabaseError ? (cause.constraint ?? "") : "",
      })
    case "40P01":
      return new SqlError.DeadlockError(properties)
    case "40001":
      return new SqlError.SerializationError(properties)
    case "55P03":
      return new SqlError.LockTimeoutError(properties)
    case "57014":
      return new SqlError.StatementTimeoutError(properties)
    default:
      return new SqlError.UnknownError(properties)
  }
}
