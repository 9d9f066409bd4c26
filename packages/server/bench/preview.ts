// (v) Previews: the server's statement compared with the best hand-written one over a plain layout (one row per signal,
// an index that starts with topic, date and score and includes the person), on the same data. Also the visitor list
// while previews run one after another. By default it creates a tenth of the data. BENCH_SIGNALS=20000000
// BENCH_PEOPLE=2000000 creates all of it.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { normalizeConfig } from "../src/audiences/config.ts"
import { AliasStore } from "../src/audiences/aliases/store.ts"
import { previewStatement } from "../src/audiences/matching/compile.ts"
import { sharedOrganizationId } from "../src/access/organization.ts"
import { type BenchPostgres, query } from "./database.ts"
import { fillVisitors, makeFixture, secret } from "./fixture.ts"
import { duckdb } from "./preview-duckdb.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import { fillSignals, previewDate } from "./preview-fixture.ts"
import type { Row } from "./report.ts"

const rounds = 7
const lists = 400

const filters = {
  companyIndustry: ["industry 1", "industry 2"],
  seniority: ["vp", "c_suite", "director"],
}
const cases = [
  { name: "heavy topics", topicIds: [1, 2, 3, 4, 5] },
  { name: "light topics", topicIds: [301, 302, 303, 304, 305] },
]

export const preview = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_preview")
  const fixture = await makeFixture(database)
  await fillSignals(database)
  await fillVisitors(database, fixture)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    const rows: Array<Row> = [await madeAliases(database, client)]
    // Cold means that Postgres has empty buffers. The operating system's cache stays for both.
    await client.query("create extension if not exists pg_buffercache")
    const duck = await duckdb(client)
    for (const each of cases) {
      const cold = await measure(client, fixture.organizationId, each, true)
      const warm = await measure(client, fixture.organizationId, each, false)
      rows.push(cold.row, warm.row)
      if (duck !== undefined) rows.push(await besideDuckdb(duck, each, warm.ours))
    }
    rows.push(await listsBeside(database, fixture.apiKey))
    return rows
  } finally {
    await client.end()
    await postgres.drop("bench_preview")
  }
}

/** How much a change of everyone's addresses slows the first preview after it. */
const madeAliases = async (database: string, client: pg.Client): Promise<Row> => {
  const begin = performance.now()
  await Effect.runPromise(
    Effect.flatMap(AliasStore, ({ make }) => make(sharedOrganizationId)).pipe(
      Effect.provide(
        Layer.provide(AliasStore.layer, PgClient.layer({ url: Redacted.make(database) })),
      ),
    ),
  )
  const ms = performance.now() - begin
  await client.query("vacuum analyze signal_alias")
  const { rows } = await client.query<{ count: number }>("select count(*)::int from signal_alias")
  return {
    name: `(v) aliases of ${rows[0]?.count} numbers made, ms`,
    floor: "-",
    ours: `${ms.toFixed(0)} ms`,
    ratio: ms,
  }
}

const measure = async (
  client: pg.Client,
  organizationId: string,
  { name, topicIds }: (typeof cases)[number],
  isCold: boolean,
): Promise<{ readonly row: Row; readonly ours: number }> => {
  const ours = previewStatement(
    {
      organizationId,
      config: normalizeConfig({ topicIds, minTopicOverlap: 2, filters }),
      dataDate: previewDate,
      hasRules: false,
      hasVisitors: false,
      hasPeople: false,
      erased: [],
    },
    50,
  )
  const times = { ours: [] as Array<number>, byHand: [] as Array<number> }
  const timed = async (text: string, values: ReadonlyArray<unknown>) => {
    if (isCold) await client.query("select pg_buffercache_evict_all()")
    const begin = performance.now()
    await client.query(text, [...values])
    return performance.now() - begin
  }
  for (let round = 0; round < rounds; round++) {
    await client.query(
      "set max_parallel_workers_per_gather = 0; set work_mem = '64MB'; set enable_sort = off",
    )
    times.ours.push(await timed(ours.text, ours.values))
    // By default the planner reads all profiles, which takes ten times as long.
    await client.query("set enable_hashjoin = off; set enable_mergejoin = off")
    times.byHand.push(await timed(byHand(topicIds), []))
    await client.query("reset all")
  }
  const [hand, mine] = [median(times.byHand), median(times.ours)]
  const row = {
    name: `(v) preview, ${name}, overlap 2, 2 filters, ${isCold ? "cold" : "warm"} / by hand`,
    floor: `${hand.toFixed(1)} ms`,
    ours: `${mine.toFixed(1)} ms`,
    ratio: mine / hand,
    bar: { atMost: 1.2 },
  }
  return { row, ours: mine }
}

/** Compares with the other engine, which is always warm. */
const besideDuckdb = async (
  duck: NonNullable<Awaited<ReturnType<typeof duckdb>>>,
  { name, topicIds }: (typeof cases)[number],
  ours: number,
): Promise<Row> => {
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    await duck.runAndReadAll(byHand(topicIds, "list"))
    times.push(performance.now() - begin)
  }
  const theirs = median(times)
  return {
    name: `(v) preview, ${name}, overlap 2, 2 filters, warm / by hand on DuckDB`,
    floor: `${theirs.toFixed(1)} ms`,
    ours: `${ours.toFixed(1)} ms`,
    ratio: ours / theirs,
  }
}

/** Count and sample on the plain layout: one table of signals, one of profiles. */
const byHand = (topicIds: ReadonlyArray<number>, collect = "json_agg"): string => `
  with matched as materialized (
    select s.hem, max(s.score) as score, count(distinct s.topic) as overlap
    from bench_signals s
    where s.topic in (${topicIds.join()}) and s.d = '${previewDate}' and s.score between 70 and 100
    group by s.hem having count(distinct s.topic) >= 2
  ), filtered as materialized (
    select m.*, p.company, p.title, p.email
    from matched m join bench_profiles p on p.hem = m.hem
    where p.industry in ('industry 1', 'industry 2') and p.seniority in ('vp', 'c_suite', 'director')
  )
  select (select count(*) from filtered), (select ${collect}(f) from (
    select * from filtered order by score desc, overlap desc, hem limit 50
  ) as f)`

/** Latency of the list, idle and while previews with new bounds each time run one after another. */
const listsBeside = async (database: string, apiKey: string): Promise<Row> => {
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const headers = { "x-api-key": apiKey, "content-type": "application/json" }
  const ask = async (path: string, body?: object) => {
    const begin = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers,
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return performance.now() - begin
  }
  const p99 = async () => {
    const times: Array<number> = []
    for (let n = 0; n < lists; n++) times.push(await ask("/v1/data?timeframe=7d"))
    return times.toSorted((one, other) => one - other)[Math.floor(lists * 0.99)]!
  }
  try {
    await ready(port, 0)
    await p99()
    const idle = await p99()
    const over = new AbortController()
    const previews = (async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const [score, hasPhone] = [40 + (n % 60), n % 2 === 0]
        await ask("/v1/intent/audiences/preview", {
          topicIds: cases[0]!.topicIds,
          minScore: score,
          minTopicOverlap: 2,
          filters: { ...filters, hasPhone, jobTitle: `x${n}` },
        })
      }
    })()
    const beside = await p99()
    over.abort()
    await previews
    return {
      name: "(v) list p99 while previews run / idle",
      floor: `${idle.toFixed(1)} ms`,
      ours: `${beside.toFixed(1)} ms`,
      ratio: beside / idle,
      bar: { atMost: 2 },
    }
  } finally {
    await stop(server)
    // Nothing needs the statistics of this data.
    await query(database, "discard all")
  }
}
