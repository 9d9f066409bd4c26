// Vitest global set-up of the server project: one Postgres for the whole run and one migrated
// database that every test file clones. It is the embedded one in a temporary directory, or the
// one TEST_DATABASE_URL names. TEST_POSTGRES_BIN names a directory with initdb and postgres to run
// instead of the packaged ones. A watchdog stops Postgres when this process dies without tearing down.
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Option, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { Migrations } from "../../src/database/migrations.ts"
import { startEmbedded } from "../../src/database/embedded.ts"
import { url } from "../../src/database/embedded/address.ts"
import { BinariesDirectory } from "../../src/database/embedded/binaries.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the migrated database to clone. */
    templateDatabaseUrl: string
  }
}

const templateDatabase = "footfall_template"

export default async function setup(project: TestProject) {
  const scope = Scope.makeUnsafe()
  const named = process.env["TEST_DATABASE_URL"]
  const serverUrl = named ?? (await startServer(scope))
  const templateUrl = new URL(serverUrl)
  templateUrl.pathname = `/${templateDatabase}`
  await onDatabase(serverUrl, (sql) =>
    Effect.andThen(
      sql.unsafe(`drop database if exists ${templateDatabase} with (force)`),
      sql.unsafe(`create database ${templateDatabase}`),
    ),
  )
  await onDatabase(templateUrl.href, () => Migrations.run)
  project.provide("templateDatabaseUrl", templateUrl.href)
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}

/** Starts the embedded Postgres in a fresh directory; both go when the scope closes. */
async function startServer(scope: Scope.Closeable): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "footfall-test-"))
  await Effect.runPromise(
    Scope.addFinalizer(
      scope,
      Effect.promise(() => rm(directory, { recursive: true, force: true })),
    ),
  )
  const binaries = Option.fromNullishOr(process.env["TEST_POSTGRES_BIN"])
  const address = await startEmbedded(directory).pipe(
    Effect.provideService(BinariesDirectory, binaries),
    Effect.provide(NodeServices.layer),
    Effect.provideService(Scope.Scope, scope),
    Effect.runPromise,
  )
  const [processId] = (await readFile(join(directory, "postgres", "postmaster.pid"), "utf8")).split(
    "\n",
  )
  watch(directory, Number(processId))
  return Redacted.value(url(address))
}

// Its standard input is a pipe from this process, so it reads the end however this process dies.
function watch(directory: string, processId: number): void {
  const watchdog = spawn(
    "/bin/sh",
    ["-c", `cat; if kill -INT ${processId} 2>&-; then sleep 2; rm -rf "$0"; fi`, directory],
    { stdio: ["pipe", "ignore", "ignore"], detached: true },
  )
  watchdog.unref()
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
