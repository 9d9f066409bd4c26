// What an operator reads of a statement or connection that failed: what Postgres or the socket said, which
// stands in the innermost error. Its first line is enough. For terminals; answers of the API never have it.
import { SqlError } from "effect/sql"

export const sqlErrorWords = ({ reason }: SqlError.SqlError): string =>
  (reason.cause instanceof Error && reason.cause.message !== ""
    ? reason.cause.message
    : reason.message
  ).split("\n", 1)[0] ?? ""

/** Undefined for an error that is not of the database. */
export const postgresRefusal = (error: unknown): string | undefined =>
  SqlError.isSqlError(error) ? `Postgres refuses: ${sqlErrorWords(error)}` : undefined
