// Which database to use: the only input of `Database.layer`. The server's configuration provides it from DATABASE_URL
// and DATA_DIR (spec 1.2); nothing here reads the environment.
import { Context, type Option, type Redacted } from "effect"

export class DatabaseConfig extends Context.Service<
  DatabaseConfig,
  {
    /** URL of Postgres 15 or newer. None: an embedded Postgres runs in `dataDir`. */
    readonly url: Option.Option<Redacted.Redacted>
    /** Directory of the embedded database, created if missing. Unused if `url` is set. */
    readonly dataDir: string
  }
>()("@footfall/server/database/DatabaseConfig") {}

/** How long a starting server waits for its database. Commands don't wait: they report the failure at once. */ // spec 1.2.10
export const DatabaseWaitSeconds = Context.Reference<number>(
  "@footfall/server/database/DatabaseWaitSeconds",
  { defaultValue: () => 0 },
)
