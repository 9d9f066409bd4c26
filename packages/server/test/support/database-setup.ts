// Vitest global set-up of the server project: one Postgres for the whole run, one migrated database that every test
// file clones, one temporary directory. The Postgres is the embedded one, or the one in TEST_DATABASE_URL.
// TEST_POSTGRES_BIN names a directory with another initdb and postgres. The embedded one keeps its data in memory if
// there is enough and doesn't sync to disk, because it is deleted with the run; tests of durability start their own.
// Nothing keeps running: scripts/test-run ends all processes, however the run ends.
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Option, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { runFolder, temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { startEmbedded } from "../../src/platform/database/embedded.ts"
import { url } from "../../src/platform/database/embedded/address.ts"
import { BinariesDirectory, findBinaries } from "../../src/platform/database/embedded/binaries.ts"
import { Migrations } from "../../src/platform/database/migrations.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the migrated database to clone. */
    templateDatabaseUrl: string
    /** Directory for data directories. Every Postgres below it is ended with the run. */
    temporaryDirectory: string
  }
}

export default async function setup(project: TestProject) {
  const scope = Scope.makeUnsafe()
  const directory = temporaryFolder("s")
  const serverUrl = process.env["TEST_DATABASE_URL"] ?? (await startServer(directory, scope))
  const template = `footfall_template_${randomBytes(4).toString("hex")}`
  const templateUrl = new URL(serverUrl)
  templateUrl.pathname = `/${template}`
  await onDatabase(serverUrl, (sql) => sql.unsafe(`create database ${template}`))
  await announce(serverUrl)
  await onDatabase(templateUrl.href, () => Migrations.run)
  project.provide("templateDatabaseUrl", templateUrl.href)
  project.provide("temporaryDirectory", directory)
  return async () => {
    await onDatabase(serverUrl, (sql) => sql.unsafe(`drop database ${template} with (force)`))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

async function startServer(directory: string, scope: Scope.Closeable): Promise<string> {
  const chosen = Option.fromNullishOr(process.env["TEST_POSTGRES_BIN"])
  if (Option.isSome(chosen) && !existsSync(join(chosen.value, "postgres")))
    throw new Error(`TEST_POSTGRES_BIN: there is no Postgres in ${chosen.value}`)
  const address = await Effect.gen(function* () {
    const { initdb, postgres } = yield* Effect.provideService(
      findBinaries,
      BinariesDirectory,
      chosen,
    )
    const unsynced = join(directory, "unsynced")
    mkdirSync(unsynced, { recursive: true })
    const write = (name: string, line: string) =>
      writeFileSync(join(unsynced, name), `#!/bin/sh\nexec ${line}\n`, { mode: 0o755 })
    write("initdb", `"${initdb}" "$@" --no-sync`)
    // The last value of a setting counts.
    write(
      "postgres",
      `"${postgres}" "$@" -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_wal_size=512MB`,
    )
    return yield* Effect.provideService(
      startEmbedded(join(runFolder(), "server")),
      BinariesDirectory,
      Option.some(unsynced),
    )
  }).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Scope.Scope, scope),
    Effect.runPromise,
  )
  return Redacted.value(url(address))
}

// The output says which Postgres the run uses, so that a run on another one can't be mistaken for one on the packaged
// one.
async function announce(serverUrl: string): Promise<void> {
  const [server] = await onDatabase(
    serverUrl,
    (sql) => sql<{ version: string }>`select current_setting('server_version') as version`,
  )
  process.stdout.write(`Tests of the server run on Postgres ${server?.version}\n`)
}

function onDatabase<A, E>(
  address: string,
  run: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, SqlClient.SqlClient>,
): Promise<A> {
  return Effect.flatMap(SqlClient.SqlClient, run).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(address), maxConnections: 1 })),
    Effect.runPromise,
  )
}
