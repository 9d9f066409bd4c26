// The ClickHouse of a benchmark: a new database of the server in CLICKHOUSE_URL, or chdb's engine, which takes half a
// gigabyte and is installed for the run.
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { clickHouseAt } from "../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { installChdb, startChdb } from "../test/support/chdb-server.ts"

export const startClickHouse = async () => {
  const given = process.env["CLICKHOUSE_URL"]
  if (given !== undefined) {
    const url = new URL(given)
    const name = `footfall_bench_${randomBytes(4).toString("hex")}`
    const run = async (statement: string) => {
      const client = clickHouseAt(given)
      await Effect.runPromise(client.run(statement))
      await Effect.runPromise(client.close)
    }
    await run(`create database ${name}`)
    url.pathname = `/${name}`
    return { address: url.href, close: () => run(`drop database ${name}`) }
  }
  const folder = await mkdtemp(join(tmpdir(), "footfall-bench-chdb-"))
  const installed = await installChdb(join(folder, "chdb"))
  const { close, url } = await startChdb(installed, await mkdtemp(join(folder, "data-")))
  return {
    address: `${url}/default`,
    close: async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
