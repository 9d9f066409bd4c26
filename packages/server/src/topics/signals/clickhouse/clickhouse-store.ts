// The HTTP interface of ClickHouse, as far as signals need it. An answer is read when it is complete, so that an
// error in its middle is an error. Whoever calls gives statements without values from outside: numbers, dates and
// ids alone (`literals`).
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { OperatorPool } from "../../../outbound/operator-pool.ts"

/** A date of many signals is copied in one statement. Our bound. */
const timeoutMs = 600_000

/** Of an answer. Our bound. */
const bytesMax = 1_000_000_000

/** A statement that names many topics is longer than the 256 KiB that are allowed otherwise. Units: bytes. */
const statementBytesMax = 16_777_216

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface ClickHouse {
  /** The rows of the answer in the format RowBinary. */
  query(statement: string): Result<Buffer>
  /** For a statement without an answer. */
  run(statement: string): Result<void>
  /** `statement` ends with the name of the format of the rows. */
  insert(statement: string, rows: Iterable<Uint8Array>): Result<void>
}

/** `http://user:password@host:8123/database`. `close` ends what is under way. */
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
        // It repeats the statement, which has numbers of people.
        throw new Refused(
          answer.bytes.toString("utf8", 0, 1_000).split(": While", 1)[0]!.slice(0, 300),
        )
      },
      catch: (cause) => failure(statement, cause),
    })

  return {
    query: (statement) => send(statement, {}, `${statement} format RowBinary`),
    run: (statement) => Effect.asVoid(send(statement, {}, statement)),
    insert: (statement, rows) =>
      Effect.asVoid(send(statement, { query: statement }, Buffer.concat([...rows]))),
    close: Effect.promise(() => pool.close()),
  }
}

/** ClickHouse answered an error. */
class Refused extends Error {}

const failure = (statement: string, cause: unknown): SqlError.SqlError => {
  const operation = `ClickHouse: ${statement.trim().split(/\s/, 1)[0]!}`
  const message = `${operation}: ${cause instanceof Error ? cause.message : String(cause)}`
  // Code 159: a limit of time.
  const isTimeout = cause instanceof Refused && cause.message.startsWith("Code: 159.")
  return new SqlError.SqlError({
    reason: isTimeout
      ? new SqlError.StatementTimeoutError({ cause, message, operation })
      : cause instanceof Refused
        ? new SqlError.UnknownError({ cause, message, operation })
        : new SqlError.ConnectionError({ cause, message, operation }),
  })
}

/** Values in a statement. Each throws for what it is not. */
export const literals = {
  uuid: (value: string): string => checked(value, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
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
