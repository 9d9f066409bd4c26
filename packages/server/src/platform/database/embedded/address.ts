// Where an embedded Postgres listens: in a Unix socket directory without a password, or on a loopback port with one.
// `url` is a form that libpq, pg and @effect/sql-pg all understand.
import { Redacted } from "effect"

export interface Address {
  /** Directory of the Unix socket, or `127.0.0.1`. */
  readonly host: string
  readonly port: number
  /** Set exactly if `host` is a loopback address. */
  readonly password?: Redacted.Redacted
}

/** Part of a Unix socket's name; nothing listens on this port. */
export const socketPort = 5432

/** Prefix of a socket directory in the temporary folder, used if the cluster's path is too long. */
export const socketDirectoryPrefix = "footfall-"

/** The cluster's superuser and only user, because the server owns it. */
export const username = "footfall"

/** The cluster's database with the tables. */
const databaseName = "postgres"

/** The address as a connection URL, including its password if there is one. */
export const url = (address: Address, database = databaseName): Redacted.Redacted => {
  const password =
    address.password === undefined ? "" : `:${encodeURIComponent(Redacted.value(address.password))}`
  const query = address.host.startsWith("/") ? `?host=${encodeURIComponent(address.host)}` : ""
  const host = address.host.startsWith("/") ? "localhost" : address.host
  return Redacted.make(
    `postgres://${username}${password}@${host}:${address.port}/${database}${query}`,
  )
}
