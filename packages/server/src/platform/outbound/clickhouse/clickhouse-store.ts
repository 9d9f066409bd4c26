// ClickHouse's HTTP interface, as far as signals and archived events need it. Responses are read completely, so that an
// error in the middle is an error. Callers must pass only numbers, dates, ids and names (`literals`), never outside values.
import { Context, Duration, Effect } from "effect"
import { SqlError } from "effect/sql"
import { OperatorPool } from "../operator-pool.ts"

/** A large date is copied in one statement. */
const timeoutMs = 600_000

/** Maximum size of a response. */
const bytesMax = 1_000_000_000

/** A statement that names many topics exceeds the default of 256 KiB. Units: bytes. */
const statementBytesMax = 16_777_216

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface ClickHouse {
  /** Its name. */
  readonly database: string
  /** The rows in RowBinary format. */
  query(statement: string): Result<Buffer>
  /** For a statement without a result. */
  run(statement: string): Result<void>
  /** `statement` ends with the name of the rows' format. */
  insert(statement: string, rows: Iterable<Uint8Array>): Result<void>
}

/** What the operator provides: one server, or a cluster. */
export interface ProvidedClickHouse extends ClickHouse {
  /** Its name in `system.clusters`. */
  readonly cluster: string | undefined
}

/** Undefined without `CLICKHOUSE_URL`. */
export const OperatorClickHouse = Context.Reference<ProvidedClickHouse | undefined>(
  "@footfall/server/outbound/OperatorClickHouse",
  { defaultValue: () => undefined },
)

/** `http://user:password@host:8123/database`. `close` aborts everything in progress. */
export const clickHouseAt = (
  address: string,
): ClickHouse & { readonly close: Effect.Effect<void> } => {
  const url = new URL(address)
  const database = decodeURIComponent(url.pathname.slice(1)) || "default"
  const headers = {
    "x-clickhouse-user": decodeURIComponent(url.username) || "default",
    "x-clickhouse-key": decodeURIComponent(url.password),
    "content-type": "application/octet-stream",
  }
  const pool = new OperatorPool(url.origin, { silenceMs: timeoutMs })

  const send = (statement: string, parameters: object, body: string | Uint8Array) =>
    Effect.tryPromise({
      try: async (signal) => {
        const query = new URLSearchParams({
          database,
          wait_end_of_query: "1",
          max_query_size: String(statementBytesMax),
          ...parameters,
        })
        const path = `/?${query}`
        const answer = await pool.postForBytes({ path, headers, body, signal, bytesMax })
        if (answer.status === 200) return answer.bytes
        // The message repeats the statement, which contains people's numbers.
        throw new Refused(
          answer.bytes.toString("utf8", 0, 1_000).split(": While", 1)[0]!.slice(0, 300),
        )
      },
      catch: (cause) => failure(statement, cause),
    })

  return {
    database,
    query: (statement) => send(statement, {}, `${statement} format RowBinary`),
    run: (statement) => Effect.asVoid(send(statement, {}, statement)),
    insert: (statement, rows) =>
      Effect.asVoid(send(statement, { query: statement }, Buffer.concat([...rows]))),
    close: Effect.promise(() => pool.close()),
  }
}

/** ClickHouse returned an error. */
class Refused extends Error {}

const failure = (statement: string, cause: unknown): SqlError.SqlError => {
  const operation = `ClickHouse: ${statement.trim().split(/\s/, 1)[0]!}`
  const message = `${operation}: ${cause instanceof Error ? cause.message : String(cause)}`
  // Code 159: time limit exceeded.
  const isTimeout = cause instanceof Refused && cause.message.startsWith("Code: 159.")
  return new SqlError.SqlError({
    reason: isTimeout
      ? new SqlError.StatementTimeoutError({ cause, message, operation })
      : cause instanceof Refused
        ? new SqlError.UnknownError({ cause, message, operation })
        : new SqlError.ConnectionError({ cause, message, operation }),
  })
}

/** Stops waiting for a ClickHouse that does not answer, whose statement may still run. */
export const answeredWithin =
  (seconds: number) =>
  <A>(statement: Result<A>): Result<A> =>
    Effect.timeoutOrElse(statement, {
      duration: Duration.seconds(seconds),
      orElse: () => Effect.fail(unreachable(`it did not answer within ${seconds} seconds`)),
    })

/** Like a ClickHouse that is not reachable. */
export const unreachable = (reason: string): SqlError.SqlError => {
  const message = `ClickHouse: ${reason}`
  return new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error(message),
      message,
      operation: "ClickHouse",
    }),
  })
}

/** Values in a statement. Except for `text`, each function throws for anything else. */
export const literals = {
  uuid: (value: string): string => checked(value, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  text: (value: string): string => `'${value.replaceAll(/[\\']/g, "\\$&")}'`,
  /** Of a cluster. */
  name: (value: string): string => checked(value, /^[\w-]{1,64}$/),
  date: (value: string): string => checked(value, /^\d{4}-\d\d-\d\d$/),
  integer: (value: number): string => {
    if (!Number.isSafeInteger(value)) throw new TypeError("expected a whole number")
    return String(value)
  },
  integers: (values: ReadonlyArray<number>): string =>
    `(${values.map(literals.integer).join(",")})`,
  /** Rows of ids. */
  uuids: (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
    `(${rows.map((row) => `(${row.map(literals.uuid).join(",")})`).join(",")})`,
  /** Rows of ids as a table, for thousands of them: ClickHouse reads it ten times as fast as a list. */
  uuidTable: (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
    const columns = rows[0]!.map((_, place) => `c${place} UUID`).join()
    const lines = rows.map((row) => row.map((value) => literals.uuid(value).slice(1, -1)).join(","))
    return `(select * from format(CSV, '${columns}', '${lines.join("\\n")}'))`
  },
}

const checked = (value: string, pattern: RegExp): string => {
  if (!pattern.test(value)) throw new TypeError(`expected a value as ${pattern}`)
  return `'${value}'`
}
