// ClickHouse's HTTP interface, as far as signals need it. Responses are read completely, so that an error in the middle
// is an error. Callers must pass only numbers, dates, ids and names (`literals`), never outside values.
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { OperatorPool } from "../../../outbound/operator-pool.ts"

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

/** Values in a statement. Except for `text`, each function throws for anything else. */
export const literals = {
  uuid: (value: string): string => checked(value, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  text: (value: string): string => `'${value.replaceAll(/[\\']/g, "\\$&")}'`,
  /** Of a cluster. */
  name: (value: string): string => checked(value, /^[\w-]{1,64}$/),
  date: (value: string): string => checked(value, /^\d{4}-\d\d-\d\d$/),
  integers: (values: ReadonlyArray<number>): string => {
    if (!values.every(Number.isSafeInteger)) throw new TypeError("expected whole numbers")
    return `(${values.join(",")})`
  },
}

const checked = (value: string, pattern: RegExp): string => {
  if (!pattern.test(value)) throw new TypeError(`expected a value as ${pattern}`)
  return `'${value}'`
}
