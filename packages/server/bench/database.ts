// The one Postgres of a benchmark run: the embedded one in a temporary directory, or the one in BENCH_DATABASE_URL.
// Floor and server take turns on it, and each benchmark has its own database.
import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { startEmbedded } from "../src/platform/database/embedded.ts"
import { url } from "../src/platform/database/embedded/address.ts"
import { Migrations } from "../src/platform/database/migrations.ts"

export interface BenchPostgres {
  /** A migrated database with this name. */
  database(name: string): Promise<string>
  /**
   * A migrated database that `fill` created, for a benchmark that only reads it. A Postgres from BENCH_DATABASE_URL keeps
   * it for the next run, because filling takes minutes.
   */
  filled(name: string, fill: (address: string) => Promise<void>): Promise<string>
  /** A migrated copy of a filled database. */
  copy(name: string, filled: string, fill: (address: string) => Promise<void>): Promise<string>
  /** Frees the space of a large database. */
  drop(name: string): Promise<void>
  /** Whether filled databases are kept for the next run. */
  readonly isKept: boolean
  close(): Promise<void>
}

export const startPostgres = async (): Promise<BenchPostgres> => {
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const scope = Scope.makeUnsafe()
  const given = process.env["BENCH_DATABASE_URL"]
  const server =
    given ??
    Redacted.value(
      url(
        await Effect.runPromise(
          startEmbedded(directory).pipe(Effect.provide(NodeServices.layer), Scope.provide(scope)),
        ),
      ),
    )
  const migrated = async (name: string) => {
    const address = new URL(server)
    address.pathname = `/${name}`
    await Effect.runPromise(
      Migrations.run.pipe(Effect.provide(PgClient.layer({ url: Redacted.make(address.href) }))),
    )
    return address.href
  }
  const drop = async (name: string) => {
    await query(server, `drop database if exists ${name} with (force)`)
  }
  const database = async (name: string) => {
    await drop(name)
    await query(server, `create database ${name}`)
    return migrated(name)
  }
  const ensureFilled = async (name: string, fill: (address: string) => Promise<void>) => {
    const found = await query(server, "select from pg_database where datname = $1", [name])
    if (found.length > 0) return
    await fill(await database(`${name}_unfinished`))
    await query(server, `alter database ${name}_unfinished rename to ${name}`)
  }
  return {
    database,
    isKept: given !== undefined,
    filled: async (name, fill) => {
      await ensureFilled(name, fill)
      return migrated(name)
    },
    copy: async (name, filled, fill) => {
      await ensureFilled(filled, fill)
      await drop(name)
      await query(server, `create database ${name} template ${filled} strategy file_copy`)
      return migrated(name)
    },
    drop,
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Runs statements on their own connection. */
export const query = async (
  address: string,
  text: string,
  values: ReadonlyArray<unknown> = [],
): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows as ReadonlyArray<Record<string, unknown>>
  } finally {
    await client.end()
  }
}
