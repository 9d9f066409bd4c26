// Where an embedded Postgres listens: a Unix socket directory without password, or a loopback port
// with one. `url` spells it so that libpq, pg and @effect/sql-pg all understand it.
import { Redacted } from "effect"

export interface Address {
  /** Directory of the Unix socket, or `127.0.0.1`. */
  readonly host: string
  readonly port: number
  /** Present exactly when `host` is a loopback address. */
  readonly password?: Redacted.Redacted
}

/** Part of a Unix socket's name; nothing listens on the port. */
export const socketPort = 5432

/** Of a socket directory in the place for temporary files, where the cluster's path is too long. */
export const socketDirectoryPrefix = "footfall-"

/** The superuser of the cluster. The server owns it, so it is also the only user. */
export const username = "footfall"

/** The database of the cluster that holds the tables. */
const databaseName = "postgres"

/** The address as a connection URL. It contains the password, if there is one. */
export const url = (address: Address, database = databaseName): Redacted.Redacted => {
  const password =
    address.password === undefined ? "" : `:${encodeURIComponent(Redacted.value(address.password))}`
  const query = address.host.startsWith("/") ? `?host=${encodeURIComponent(address.host)}` : ""
  const host = address.host.startsWith("/") ? "localhost" : address.host
  return Redacted.make(
    `postgres://${username}${password}@${host}:${address.port}/${database}${query}`,
  )
}
