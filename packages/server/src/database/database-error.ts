// What a statement fails with, for the rooms that name it in their types: they know no more of SQL.
import { Schema } from "effect"
import { SqlError } from "effect/sql"

export type DatabaseError = SqlError.SqlError

/** The SQLSTATE that Postgres gave, or the code of Node's error; empty for others. */
export const sqlState = ({ reason: { cause } }: DatabaseError): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : ""

/**
 * Whether the server itself has a problem, whatever the statement says: no disk, memory or connection is left (SQLSTATE
 * class 53), it stops or starts (57P), its files can't be read or written (58), it is read-only (25006), or Node could
 * not reach it (ENOSPC, ECONNRESET).
 */
export const isOutOfOrder = (error: DatabaseError): boolean =>
  /^(?:53|57P|58|25006|E[A-Z])/.test(sqlState(error))

// The one error of having no usable database. `message` is a single line for the operator: what was
// found, where, and what to do. It never holds a password or a whole connection address.
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()(
  "DatabaseUnavailable",
  {
    reason: Schema.Literals([
      /** Another live process holds the data directory; `processId` says which. */
      "InUse",
      /** No Postgres is packaged for this platform, or it cannot run as this user. */
      "NoBinary",
      /** The packaged Postgres lacks its library links, and they cannot be made. */
      "LibrariesMissing",
      /** The data directory belongs to another major version of Postgres. */
      "OtherVersion",
      /** The data directory cannot be made or used. */
      "DirectoryUnusable",
      /** Postgres did not start, or ended while starting. */
      "StartFailed",
      /** Nothing answers at the address, or it refuses the credentials. */
      "Unreachable",
      /** The server at the address is older than Postgres 15. */
      "TooOld",
    ]),
    message: Schema.String,
    processId: Schema.optionalKey(Schema.Int),
  },
) {}

// What an operator reads of a statement or connection that failed: what Postgres or the socket said, which
// stands in the innermost error. Its first line is enough. For terminals; answers of the API never have it.

export const sqlErrorWords = ({ reason }: SqlError.SqlError): string =>
  (reason.cause instanceof Error && reason.cause.message !== ""
    ? reason.cause.message
    : reason.message
  ).split("\n", 1)[0] ?? ""

/** Undefined for an error that is not of the database. */
export const postgresRefusal = (error: unknown): string | undefined =>
  SqlError.isSqlError(error) ? `Postgres returned an error: ${sqlErrorWords(error)}` : undefined
