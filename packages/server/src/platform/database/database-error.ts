// The error of a statement, for rooms that name it in their types and contain no SQL.
import { Schema } from "effect"
import { SqlError } from "effect/sql"

export type DatabaseError = SqlError.SqlError

/** For rooms that contain no SQL. */
export const isDatabaseError = (error: unknown): error is DatabaseError =>
  SqlError.isSqlError(error)

/** The SQLSTATE from Postgres, or the code of Node's error; empty for others. */
export const sqlState = ({ reason: { cause } }: DatabaseError): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : ""

/**
 * Whether the problem is the server's and not the statement's: out of disk, memory or connections (SQLSTATE class 53),
 * stopping or starting (57P), files that can't be read or written (58), read-only (25006), or unreachable (ENOSPC,
 * ECONNRESET).
 */
export const isOutOfOrder = (error: DatabaseError): boolean =>
  /^(?:53|57P|58|25006|E[A-Z])/.test(sqlState(error))

/**
 * Whether a later attempt to connect may succeed by itself: nothing listens yet, the name doesn't resolve yet, or
 * Postgres is starting (57P03), stopping (57P01) or full (53300). A rejected password or an unknown database stays wrong.
 */
export const isNotYetThere = (error: DatabaseError): boolean =>
  /^(?:57P0[1-3]|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOENT)$/.test(
    sqlState(error),
  )

// No database can be used. `message` is a single line for the operator: what was found, where, and what to do. It never
// contains a password or a full connection URL.
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()(
  "DatabaseUnavailable",
  {
    reason: Schema.Literals([
      /** Another running process uses the data directory; `processId` says which. */
      "InUse",
      /** No Postgres is packaged for this platform, or it can't run as this user. */
      "NoBinary",
      /** The packaged Postgres lacks its library links, and they can't be created. */
      "LibrariesMissing",
      /** The data directory belongs to another major version of Postgres. */
      "OtherVersion",
      /** The data directory can't be created or used. */
      "DirectoryUnusable",
      /** Postgres did not start, or ended while starting. */
      "StartFailed",
      /** Nothing answers at the URL, or it rejects the credentials. */
      "Unreachable",
      /** The server is older than Postgres 15. */
      "TooOld",
    ]),
    message: Schema.String,
    processId: Schema.optionalKey(Schema.Int),
  },
) {}

// Returns the message an operator sees for a failed statement or connection: the first line of the innermost error from
// Postgres or the socket. For terminals only; API responses never contain it.

export const sqlErrorWords = ({ reason }: SqlError.SqlError): string =>
  (reason.cause instanceof Error && reason.cause.message !== ""
    ? reason.cause.message
    : reason.message
  ).split("\n", 1)[0] ?? ""

/** Undefined for an error that is not from the database. */
export const postgresRefusal = (error: unknown): string | undefined =>
  SqlError.isSqlError(error) ? `Postgres returned an error: ${sqlErrorWords(error)}` : undefined
