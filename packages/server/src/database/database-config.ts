// Which database to use: the one value `Database.layer` asks for. The server's configuration
// provides it from DATABASE_URL and DATA_DIR (spec 1.2); nothing here reads the
// environment.
import { Context, type Option, type Redacted } from "effect"

export class DatabaseConfig extends Context.Service<
  DatabaseConfig,
  {
    /** Address of a Postgres 15 or newer. None: an embedded Postgres runs in `dataDir`. */
    readonly url: Option.Option<Redacted.Redacted>
    /** Directory of the embedded database. Made when it is missing. Unused when `url` is given. */
    readonly dataDir: string
  }
>()("@footfall/server/database/DatabaseConfig") {}
