// What clients see while Postgres is frozen: all its processes are stopped (SIGSTOP) under a server
// with open connections. Ours: the slowest of the first 10 responses, of the next 10, of `/readyz`,
// and the time from SIGCONT to the first response. A response that takes longer than a minute
// counts as one minute.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { type BenchPostgres, query } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const atOnce = 10
const longestMs = 60_000

export const stoppedDatabase = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_stopped")
  const { apiKey } = await makeFixture(database)
  const port = await freePort()
  const server = start([serverBin, "start", "--json"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
    PORT: String(port),
  })
  const ask = async (path: string) => {
    const begin = performance.now()
    const status = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { "x-api-key": apiKey },
      signal: AbortSignal.timeout(longestMs),
    }).then(
      async (response) => (await response.arrayBuffer(), String(response.status)),
      () => "no answer",
    )
    return { status, ms: performance.now() - begin }
  }
  const many = () => Promise.all(Array.from({ length: atOnce }, () => ask("/v1/data")))
  try {
    await ready(port, 0)
    await many()
    const processes = await postgresProcesses(database)
    const signal = (name: string) => spawnSync("kill", [`-${name}`, ...processes])
    signal("STOP")
    let first
    let later
    let readyz
    try {
      ;[first, readyz] = await Promise.all([many(), ask("/readyz")])
      later = await many()
    } finally {
      signal("CONT")
    }
    const begin = performance.now()
    while ((await ask("/v1/data")).status !== "200") await sleep(20)
    const back = performance.now() - begin
    return [
      row("stopped Postgres: the slowest of the first 10 answers", first),
      row("stopped Postgres: the slowest of the next 10", later),
      row("stopped Postgres: /readyz", [readyz]),
      row("stopped Postgres: from SIGCONT to the first 200", [{ status: "200", ms: back }]),
    ]
  } finally {
    await stop(server)
  }
}

/** The postmaster and all its children. */
const postgresProcesses = async (database: string): Promise<ReadonlyArray<string>> => {
  const [own] = await query(database, "select pg_backend_pid() as pid, pg_sleep(0)")
  const parentOf = (pid: string): string | undefined => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]
    } catch {
      return undefined
    }
  }
  const others = await query(database, "select pid from pg_stat_activity where pid is not null")
  const postmaster = [own, ...others].map((each) => parentOf(String(each?.["pid"]))).find(Boolean)!
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return [postmaster, ...all.filter((pid) => parentOf(pid) === postmaster)]
}

const row = (
  name: string,
  answers: ReadonlyArray<{ readonly status: string; readonly ms: number }>,
): Row => {
  const seconds = Math.max(...answers.map(({ ms }) => ms)) / 1_000
  const statuses = [...new Set(answers.map(({ status }) => status))].join(", ")
  return { name, floor: "-", ours: `${seconds.toFixed(2)} s (${statuses})`, ratio: seconds }
}
