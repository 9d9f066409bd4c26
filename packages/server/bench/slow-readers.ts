// Slow readers of a large export: each reads 64 KiB and then stops. Measures the server's memory
// while their downloads are open, and 30 seconds after they disconnect. The server must never
// buffer data that no reader takes. BENCH_READERS sets their number, BENCH_EXPORT_ROWS the size of
// the run, BENCH_GZIP=1 compressed downloads.
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { get, type IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { BenchPostgres } from "./database.ts"
import { fillRun } from "./export.ts"
import { makeFixture, secret } from "./fixture.ts"
import { freePort, memoryMiB, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const readers = Number(process.env["BENCH_READERS"] ?? 200)
const rowCount = Number(process.env["BENCH_EXPORT_ROWS"] ?? 200_000)
const heldMs = Number(process.env["BENCH_HELD_SECONDS"] ?? 60) * 1_000
const afterMs = 30_000

export const slowReaders = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database(`bench_slow_${randomBytes(3).toString("hex")}`)
  const { apiKey, organizationId } = await makeFixture(database)
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const path = await fillRun(database, organizationId, rowCount)
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    DATA_DIR: directory,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const memory = () => memoryMiB(server.pid!, { alone: true })
  try {
    await ready(port, 0)
    const before = memory()
    const opened = await Promise.all(
      Array.from({ length: readers }, () => open(`http://127.0.0.1:${port}${path}`, apiKey)),
    )
    let most = 0
    const until = performance.now() + heldMs
    while (performance.now() < until) {
      most = Math.max(most, memory())
      await sleep(100)
    }
    const refused = opened.filter(({ statusCode }) => statusCode === 503).length
    for (const response of opened) response.destroy()
    await sleep(afterMs)
    const after = memory()
    const name = `${readers} slow readers (${refused} refused with 503): memory grows by, MiB`
    return [
      row(name, most - before, 300),
      row("30 s after they have left: memory above that of before, MiB", after - before, 300),
    ]
  } finally {
    await stop(server)
    await postgres.drop(new URL(database).pathname.slice(1))
    await rm(directory, { recursive: true, force: true })
  }
}

const row = (name: string, grown: number, atMost: number): Row => ({
  name,
  floor: "-",
  ours: `${grown.toFixed(0)} MiB`,
  ratio: grown,
  bar: { atMost },
})

/** Reads the headers and the first data, then stops. */
const open = (url: string, apiKey: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const encoding = process.env["BENCH_GZIP"] === "1" ? "gzip" : "identity"
    const headers = { "x-api-key": apiKey, "accept-encoding": encoding }
    get(url, { headers, agent: false }, (response) => {
      response.on("error", () => undefined)
      response.once("readable", () => response.read())
      resolve(response)
    }).on("error", reject)
  })
