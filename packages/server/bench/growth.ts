// How cost grows with work: the same work at 1, 10 and 100 times its size, in one database after
// another. Bar: from 10 to 100 times, nothing grows faster than n log n. At the smallest size fixed
// costs dominate, so it isn't judged. BENCH_PLOT names a file for the plot in
// docs/explanation/benchmarks.md.
import { writeFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { Pool } from "undici"
import type { BenchPostgres } from "./database.ts"
import { domain, type Fixture, fillVisitors, makeFixture, secret } from "./fixture.ts"
import { growthPlot } from "./growth-plot.ts"
import { accessToken, csv, makeOwner, send } from "./people.ts"
import { fillSignals } from "./preview-fixture.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"
import { five } from "./rules.ts"

const times = [1, 10, 100] as const
/** Requests per measurement. */
const requestCount = 20
const eventsPerBatch = 20

interface Work {
  readonly name: string
  /** The amount of work at size 1. */
  readonly n: number
  readonly of: string
  readonly ms: (at: At) => Promise<number>
}

/** A server with its own database, at one size. */
interface At {
  readonly database: string
  readonly fixture: Fixture
  readonly port: number
  readonly n: number
  readonly token: string
}

const works: ReadonlyArray<Work> = [
  { name: "ingest and identification", n: 2_000, of: "page views", ms: (at) => ingest(at) },
  { name: "import", n: 2_000, of: "people", ms: (at) => importPeople(at) },
  {
    name: "list, page 1 with total",
    n: 2_000,
    of: "visitors",
    ms: async (at) => {
      await fillVisitors(at.database, at.fixture, at.n)
      return answer(at, () => ["GET", "/v1/data?timeframe=30d"])
    },
  },
  {
    name: "list, next page",
    n: 2_000,
    of: "visitors",
    ms: async (at) => {
      await fillVisitors(at.database, at.fixture, at.n)
      const { meta } = await json(at, "GET", "/v1/data?timeframe=30d")
      const cursor = encodeURIComponent(meta.nextCursor)
      return answer(at, () => ["GET", `/v1/data?timeframe=30d&cursor=${cursor}`])
    },
  },
  {
    name: "query of 5 predicates, page 1 with total",
    n: 2_000,
    of: "visitors",
    ms: async (at) => {
      await fillVisitors(at.database, at.fixture, at.n)
      return answer(at, () => ["POST", "/v1/data/query", { window: "30d", ruleAst: five }])
    },
  },
  {
    name: "preview",
    n: 20_000,
    of: "signals",
    ms: async (at) => {
      await fillSignals(at.database, 14, { signals: at.n, people: at.n / 10 })
      // A different score each time, so that no cached response is used.
      return answer(at, (nth) => [
        "POST",
        "/v1/intent/audiences/preview",
        { topicIds: [1, 2, 3, 4, 5], minScore: 40 + nth, minTopicOverlap: 2 },
      ])
    },
  },
]

export const growth = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  const curves: Array<{ readonly name: string; readonly ms: ReadonlyArray<number> }> = []
  for (const work of works) {
    const ms: Array<number> = []
    for (const size of times) ms.push(await measured(postgres, work, work.n * size))
    curves.push({ name: work.name, ms })
    const [, ten = 0, hundred = 0] = ms
    const n = work.n * 100
    rows.push({
      name: `growth: ${work.name}, ${n.toLocaleString("en")} ${work.of} / ${(n / 10).toLocaleString("en")}`,
      floor: ms.slice(0, 2).map(text).join(", "),
      ours: text(hundred),
      ratio: hundred / ten,
      bar: { atMost: Number(((10 * Math.log(n)) / Math.log(n / 10)).toFixed(1)) },
    })
  }
  const file = process.env["BENCH_PLOT"]
  if (file !== undefined) await writeFile(file, growthPlot(curves))
  return rows
}

const text = (ms: number): string =>
  ms < 1_000 ? `${ms.toPrecision(3)} ms` : `${(ms / 1_000).toPrecision(3)} s`

const measured = async (postgres: BenchPostgres, work: Work, n: number): Promise<number> => {
  const database = await postgres.database("bench_growth")
  const fixture = await makeFixture(database)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await makeOwner(client, fixture.organizationId)
  await client.end()
  const port = await freePort()
  const environment = {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    BASE_URL: `http://127.0.0.1:${port}`,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  }
  const server = start([serverBin, "start", "--json"], environment)
  try {
    await ready(port, 0)
    return await work.ms({ database, fixture, port, n, token: await accessToken(environment) })
  } finally {
    await stop(server)
    await postgres.drop("bench_growth")
  }
}

/**
 * From the first request until the workers have processed the last event. Each browser sends four
 * page views.
 */
const ingest = async ({ database, fixture, port, n }: At): Promise<number> => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const id = counted()
  const batch = () => {
    const anonymousId = id()
    const time = new Date().toISOString()
    return JSON.stringify({
      v: 1,
      sentAt: time,
      anonymousId,
      consent: "granted",
      events: Array.from({ length: eventsPerBatch }, () => ({
        id: id(),
        type: "page",
        time,
        url: `https://www.${domain}/pricing`,
        referrer: null,
        title: "Pricing",
      })),
    })
  }
  try {
    const begin = performance.now()
    let left = n / eventsPerBatch
    const sender = async () => {
      while (left-- > 0) {
        const { statusCode, body } = await pool.request({
          method: "POST",
          path: `/p/${fixture.pixelId}/e`,
          headers: { "content-type": "text/plain", "user-agent": "Mozilla/5.0 Chrome/140" },
          body: batch(),
        })
        await body.dump()
        if (statusCode !== 204) throw new Error(`${statusCode} for a batch`)
      }
    }
    await Promise.all(Array.from({ length: 64 }, sender))
    while ((await client.query("select from event_inbox limit 1")).rows.length > 0) await sleep(20)
    const ms = performance.now() - begin
    const { rows } = await client.query<{ count: number }>("select count(*)::int from event")
    if (rows[0]?.count !== n) throw new Error(`${rows[0]?.count} of ${n} events are stored`)
    return ms
  } finally {
    await client.end()
    await pool.close()
  }
}

/** Different for each call, and valid. */
const counted = () => {
  let counter = 0
  return () => `${(++counter).toString(16).padStart(8, "0")}-0000-4000-8000-${"0".repeat(12)}`
}

const importPeople = async ({ port, token, n }: At): Promise<number> => {
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  try {
    const file = join(directory, "people.csv")
    await writeFile(file, csv(n))
    const begin = performance.now()
    await send(port, token, file, { inserted: n })
    return performance.now() - begin
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

type Request = readonly [method: string, path: string, body?: object]

/** Median response time, after two requests to warm up. */
const answer = async (at: At, request: (nth: number) => Request): Promise<number> => {
  const each: Array<number> = []
  for (let nth = 0; nth < requestCount + 2; nth++) {
    const begin = performance.now()
    await json(at, ...request(nth))
    each.push(performance.now() - begin)
  }
  return median(each.slice(2))
}

const json = async ({ port, fixture }: At, ...[method, path, body]: Request) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { "x-api-key": fixture.apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answered = (await response.json()) as { readonly meta: { readonly nextCursor: string } }
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answered)}`)
  return answered
}
