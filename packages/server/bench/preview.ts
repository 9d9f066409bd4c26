// (v) Previews: the server's statement compared with the best hand-written one over a plain layout
// (one row per signal, an index that starts with topic, date and score and includes the person), on
// the same data. Both answer the same query: the organization has its own people and rules, and
// several addresses belong to one person. Also the visitor list while previews run one after
// another. By default it creates a tenth of the data. BENCH_SIGNALS=20000000 BENCH_PEOPLE=2000000
// creates all of it.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { normalizeConfig } from "../src/intent/audiences/config.ts"
import { AliasStore } from "../src/intent/audiences/aliases/store.ts"
import { previewStatement } from "../src/intent/audiences/matching/compile.ts"
import { sharedOrganizationId } from "../src/access/organization.ts"
import { type BenchPostgres, query } from "./database.ts"
import { fillVisitors, makeFixture, secret } from "./fixture.ts"
import { duckdb } from "./preview-duckdb.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import { fillOwn, fillSignals, previewDate } from "./preview-fixture.ts"
import type { Row } from "./report.ts"

const rounds = 15
const lists = 400

export const filters = {
  companyIndustry: ["industry 1", "industry 2"],
  seniority: ["vp", "c_suite", "director"],
}
export const cases = [
  { name: "heavy topics", topicIds: [1, 2, 3, 4, 5] },
  { name: "light topics", topicIds: [301, 302, 303, 304, 305] },
]

export const preview = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_preview")
  const fixture = await makeFixture(database)
  await fillSignals(database)
  await fillOwn(database, fixture.organizationId)
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
      rows.push(...cold.rows, ...warm.rows)
      if (duck !== undefined) rows.push(await besideDuckdb(duck, each, warm.ours))
    }
    rows.push(await listsBeside(database, fixture.apiKey))
    return rows
  } finally {
    await client.end()
    await postgres.drop("bench_preview")
  }
}

/** How much a change of everyone's addresses slows the next preview. */
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
): Promise<{ readonly rows: ReadonlyArray<Row>; readonly ours: number }> => {
  const ours = previewStatement(
    {
      organizationId,
      config: normalizeConfig({ topicIds, minTopicOverlap: 2, filters }),
      dataDate: previewDate,
      hasRules: true,
      hasVisitors: false,
      hasPeople: true,
      erased: [],
    },
    50,
  )
  const times = {
    ours: [] as Array<number>,
    byHand: [] as Array<number>,
    prepared: [] as Array<number>,
  }
  const timed = async (statement: string | pg.QueryConfig) => {
    if (isCold) await client.query("select pg_buffercache_evict_all()")
    const begin = performance.now()
    const { rows } = await client.query<Answer>(statement)
    return { ms: performance.now() - begin, answer: rows[0]! }
  }
  for (let round = 0; round < rounds; round++) {
    // As in audiences/store.ts.
    await client.query(
      `set max_parallel_workers_per_gather = 0; set work_mem = '64MB'; set enable_sort = off;
       set enable_seqscan = off; set plan_cache_mode = force_generic_plan`,
    )
    const mine = await timed({ name, text: ours.text, values: [...ours.values] })
    await client.query("reset all")
    // By default the planner reads all profiles, which takes ten times as long.
    await client.query(
      `set max_parallel_workers_per_gather = 0; set work_mem = '64MB'; set enable_hashjoin = off;
       set enable_mergejoin = off`,
    )
    const hand = await timed(byHand(topicIds))
    const prepared = await timed({ name: `${name} by hand`, text: byHand(topicIds) })
    await client.query("reset all")
    if (!isSame(mine.answer, hand.answer)) throw new Error("The two answers differ.")
    times.ours.push(mine.ms)
    times.byHand.push(hand.ms)
    times.prepared.push(prepared.ms)
  }
  const mine = median(times.ours)
  const beside = (floor: ReadonlyArray<number>, how: string): Row => ({
    name: `(v) preview, ${name}, overlap 2, 2 filters, ${isCold ? "cold" : "warm"} / ${how}`,
    floor: `${median(floor).toFixed(1)} ms`,
    ours: `${mine.toFixed(1)} ms`,
    ratio: mine / median(floor),
  })
  const rows = [
    { ...beside(times.byHand, "by hand"), bar: { atMost: 1.2 } },
    beside(times.prepared, "by hand, prepared"),
  ]
  return { rows, ours: mine }
}

interface Answer {
  readonly total: string | number
  /** Null for no one, in the hand-written statement. */
  readonly sample: ReadonlyArray<{ readonly hem: string; readonly score: number }> | null
}

/** The plain layout stores half of each hash, as a UUID. */
const isSame = (ours: Answer, byHand: Answer): boolean => {
  const first = ({ sample }: Answer) =>
    (sample ?? []).map(({ hem, score }) => `${hem.replaceAll("-", "").slice(0, 32)} ${score}`)
  return Number(ours.total) === Number(byHand.total) && first(ours).join() === first(byHand).join()
}

/** Compares with DuckDB, which is always warm. */
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

/**
 * Count and sample on the plain layout: signals of all addresses of a person add up, fields come
 * from the organization's record and then from the shared one, and people who match a rule are left
 * out.
 */
export const byHand = (topicIds: ReadonlyArray<number>, collect = "json_agg"): string => `
  with matched as materialized (
    select coalesce(a.person, s.hem) as hem, max(s.score) as score, count(distinct s.topic) as overlap
    from bench_signals s left join bench_aliases a on a.hem = s.hem
    where s.topic in (${topicIds.join()}) and s.d = '${previewDate}' and s.score between 70 and 100
    group by 1 having count(distinct s.topic) >= 2
  ), known as (
    select m.*, coalesce(o.industry, p.industry) as industry,
      coalesce(o.seniority, p.seniority) as seniority, coalesce(o.company, p.company) as company,
      coalesce(o.title, p.title) as title, coalesce(o.email, p.email) as email,
      coalesce(o.domain, p.domain) as domain,
      coalesce(o.company_domain, p.company_domain) as company_domain
    from matched m
    left join bench_profiles o on o.hem = m.hem and o.is_own
    left join bench_profiles p on p.hem = m.hem and not p.is_own
  ), filtered as materialized (
    select k.hem, k.score, k.overlap, k.company, k.title, k.email
    from known k
    where lower(k.industry) in ('industry 1', 'industry 2')
      and k.seniority in ('vp', 'c_suite', 'director')
      and not exists (select 1 from bench_rules r where r.type = 'domain' and r.key = k.domain)
      and not exists (
        select 1 from bench_rules r where r.type = 'company_domain' and r.key = k.company_domain
      )
      and not exists (select 1 from bench_rules r where r.type = 'industry' and r.key = k.industry)
      and not exists (select 1 from bench_rules r where r.type = 'email' and r.key = k.hem::text)
      and not exists (
        select 1 from bench_aliases a
        join bench_rules r on r.type = 'email' and r.key = a.hem::text
        where a.person = k.hem
      )
  )
  select (select count(*) from filtered) as total, (select ${collect}(f) from (
    select * from filtered order by score desc, overlap desc, hem limit 50
  ) as f) as sample`

/** Latency of the list when idle, and while previews with new bounds run one after another. */
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
    // Frees the connection's caches; the data's statistics are no longer needed.
    await query(database, "discard all")
  }
}
