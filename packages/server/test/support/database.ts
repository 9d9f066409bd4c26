// A separate database for each test file: a clone of the migrated template, dropped afterwards. `TestDatabase.layer`
// provides it to Effect tests, `testDatabaseUrl` its address to everything else.
import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import "./database-setup.ts"

/** A new migrated database. `drop` ends every session that still uses it. */
export async function testDatabaseUrl(): Promise<{ url: string; drop: () => Promise<void> }> {
  const template = new URL(inject("templateDatabaseUrl"))
  const name = `footfall_test_${randomBytes(8).toString("hex")}`
  // Copies files. The default, which writes every page to the log, takes ten times the processor time.
  await administer(
    `create database ${name} template ${template.pathname.slice(1)} strategy file_copy`,
  )
  const url = new URL(template)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}

// Cloning needs a template without connections, so this connects to another database.
function administer(statement: string): Promise<void> {
  const url = new URL(inject("templateDatabaseUrl"))
  url.pathname = "/postgres"
  return Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url.href), maxConnections: 1 })),
    Effect.asVoid,
    Effect.runPromise,
  )
}

const cloned = Effect.acquireRelease(
  Effect.promise(() => testDatabaseUrl()),
  ({ drop }) => Effect.promise(() => drop()),
)

/** The services of the server's database layer on a new clone, dropped when the scope closes. */
export const TestDatabase = {
  layer: Layer.unwrap(
    Effect.map(cloned, ({ url }) =>
      Database.layer.pipe(
        Layer.provide(
          Layer.succeed(DatabaseConfig, {
            url: Option.some(Redacted.make(url)),
            dataDir: "unused: an address is given",
          }),
        ),
      ),
    ),
  ),
}
