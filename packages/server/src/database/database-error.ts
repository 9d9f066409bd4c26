// What a statement fails with, for the rooms that name it in their types: they know no more of SQL.
import type { SqlError } from "effect/sql"
import { Schema } from "effect"

export type DatabaseError = SqlError.SqlError

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
