// (h) Flood: sends more events than the database can take, because a lock blocks their table half
// of the time, while an API read runs. The stored event ids must be exactly the acknowledged ones,
// and every other event must be rejected with Retry-After. FLOOD_SOAK=1: 20,000 events per second
// over 2,000 connections for a minute. Without it, a tenth of that for ten seconds.
import { createReadStream, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { type BenchPostgres, query } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { load } from "./load.ts"
import type { LoopDelay } from "./loop-delay.ts"
import { offer } from "./offered.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const isSoak = process.env["FLOOD_SOAK"] === "1"
const size = isSoak
  ? { eventsPerSecond: 20_000, connections: 2_000, seconds: 60 }
  : { eventsPerSecond: 2_000, connections: 200, seconds: 10 }
const eventsPerBatch = 10

export const flood = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_flood")
  const fixture = await makeFixture(database)
  const directory = await mkdtemp(join(tmpdir(), "footfall-flood-"))
  const delayFile = join(directory, "delay.json")
  const idsFile = join(directory, "ids.txt")
  const port = await freePort()
  const monitor = new URL("./loop-delay.ts", import.meta.url).href
  const child = start(["--import", monitor, serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
    LOOP_DELAY_FILE: delayFile,
  })
  try {
    await ready(port, 0)
    const throttle = new AbortController()
    const throttling = throttled(database, throttle.signal)
    const [offered, api] = await Promise.all([
      offer({
        ...size,
        port,
        host: domain,
        eventsPerBatch,
        path: `/p/${fixture.pixelId}/e`,
        idsFile,
      }),
      load({
        port,
        connections: 2,
        seconds: size.seconds - 1,
        warmUpSeconds: 1,
        method: "GET",
        path: "/v1/data/pixels",
        headers: { "x-api-key": fixture.apiKey },
        body: "",
      }),
    ])
    throttle.abort()
    await throttling
    const rssMiB = peakMiB(child.pid ?? 0)
    const acknowledged = offered.statuses["204"] ?? 0
    await assertSame(database, idsFile, acknowledged)
    if (offered.unguided > 0) throw new Error(`${offered.unguided} refusals without Retry-After`)
    if (api.answers !== api.statuses["200"]) throw new Error(JSON.stringify(api.statuses))
    await stop(child)
    const delay = JSON.parse(readFileSync(delayFile, "utf8")) as LoopDelay
    const perSecond = (events: number) => `${Math.round(events / size.seconds)}/s`
    const row = (name: string, ours: string, ratio: number, atMost?: number): Row => ({
      name: `(h) flood: ${name}`,
      floor: "–",
      ours,
      ratio,
      bar: atMost === undefined ? undefined : { atMost },
    })
    return [
      {
        name: "(h) flood: acknowledged, each stored once / offered",
        floor: perSecond(offered.offered),
        ours: perSecond(acknowledged),
        ratio: acknowledged / offered.offered,
      },
      row("peak memory of the server, MiB", rssMiB.toFixed(0), rssMiB, 512),
      row("event loop late, p99 ms", delay.p99Ms.toFixed(1), delay.p99Ms, 100),
      row("API GET beside it, p99 ms", api.p99Ms.toFixed(1), api.p99Ms, 500),
    ]
  } finally {
    await stop(child)
    await rm(directory, { recursive: true, force: true })
  }
}

/** In milliseconds. The table is writable for 100 of every 200. */
const lockedMs = 100

const throttled = async (database: string, signal: AbortSignal): Promise<void> => {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  while (!signal.aborted) {
    await client.query("begin")
    await client.query("lock table event_inbox in exclusive mode")
    await sleep(lockedMs)
    await client.query("commit")
    await sleep(lockedMs)
  }
  await client.end()
}

/** Checks that each acknowledged id is stored exactly once, and no others. */
const assertSame = async (
  database: string,
  idsFile: string,
  acknowledged: number,
): Promise<void> => {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query("create table acknowledged (id uuid primary key)")
  await pipeline(createReadStream(idsFile), client.query(copyFrom("copy acknowledged from stdin")))
  await client.end()
  const [row] = await query(
    database,
    `select count(*) as stored, count(distinct e.id) as distinct, count(a.id) as both
     from event_inbox e left join acknowledged a on a.id = e.id`,
  )
  const counts = [row?.["distinct"], row?.["both"]].map(Number)
  if (Number(row?.["stored"]) === 0 || counts.some((count) => count !== acknowledged)) {
    throw new Error(`acknowledged ${acknowledged}, stored ${JSON.stringify(row)}`)
  }
}

const peakMiB = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
