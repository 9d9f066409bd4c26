// (d) Command line startup: `--help` and a `--json` call compared with `node -e 0`.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { cliBin, freePort, median, ready, serverBin, start, stop, time } from "./processes.ts"
import type { Row } from "./report.ts"

const rounds = 15

export const cli = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_cli")
  const { apiKey } = await makeFixture(database)
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const environment = {
    FOOTFALL_CONFIG_DIR: directory,
    FOOTFALL_API_KEY: apiKey,
    FOOTFALL_BASE_URL: `http://127.0.0.1:${port}`,
  }
  try {
    await ready(port, 0)
    const times = {
      node: [] as Array<number>,
      help: [] as Array<number>,
      json: [] as Array<number>,
    }
    for (let round = 0; round < rounds; round++) {
      times.node.push(await time(["-e", "0"]))
      times.help.push(await time([cliBin, "--help"], environment))
      times.json.push(await time([cliBin, "pixels", "list", "--json"], environment))
    }
    const base = median(times.node)
    const row = (name: string, values: ReadonlyArray<number>): Row => ({
      name,
      floor: `node -e 0: ${base.toFixed(0)} ms`,
      ours: `${median(values).toFixed(0)} ms`,
      ratio: median(values) / base,
      bar: { atMost: 2.5 },
    })
    return [
      row("(d) footfall --help", times.help),
      row("(d) footfall pixels list --json, one request", times.json),
    ]
  } finally {
    await stop(server)
    await rm(directory, { recursive: true, force: true })
  }
}
