// The hand-written preview statement on DuckDB, over the same rows in memory, with one thread.
// BENCH_DUCKDB is the folder of the package `@duckdb/node-api`, installed outside this project.
// DuckDB is the other engine that issue 6 asks about; the server doesn't use it.
import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"

interface Connection {
  runAndReadAll(text: string): Promise<{ getRows(): ReadonlyArray<ReadonlyArray<unknown>> }>
}
interface Package {
  readonly DuckDBInstance: {
    create(
      path: string,
      options: Readonly<Record<string, string>>,
    ): Promise<{
      connect(): Promise<Connection>
    }>
  }
}

const tables = {
  bench_signals: "hem uuid, topic int, score smallint, d date",
  bench_profiles:
    "hem uuid, is_own boolean, industry varchar, seniority varchar, company varchar, title varchar, email varchar, domain varchar, company_domain varchar",
  bench_aliases: "hem uuid, person uuid",
  bench_rules: "type varchar, key varchar",
}

/** A connection with the tables for the hand-written statement; undefined without BENCH_DUCKDB. */
export const duckdb = async (client: pg.Client): Promise<Connection | undefined> => {
  const folder = process.env["BENCH_DUCKDB"]
  if (folder === undefined) return undefined
  // The package isn't installed here, so its types are unknown.
  const { DuckDBInstance } = createRequire(import.meta.url)(folder) as Package
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" })
  const connection = await instance.connect()
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  try {
    for (const [name, columns] of Object.entries(tables)) {
      const path = join(directory, name)
      const order = name === "bench_signals" ? "topic, d, score" : "1, 2"
      await pipeline(
        client.query(
          copyTo(`copy (select * from ${name} order by ${order}) to stdout (format csv)`),
        ),
        createWriteStream(path),
      )
      await connection.runAndReadAll(`create table ${name} (${columns})`)
      await connection.runAndReadAll(`copy ${name} from '${path}' (format csv)`)
    }
    return connection
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
