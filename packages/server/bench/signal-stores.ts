// Imported signals in Postgres and in ClickHouse: previews over HTTP, an import of one more day, and the disk they take,
// for the same signals, with DuckDB beside (BENCH_DUCKDB as in preview-duckdb.ts). Then previews on ClickHouse with ten
// times the signals. BENCH_SIGNALS=20000000 BENCH_PEOPLE=2000000 is the full size.
import { Effect } from "effect"
import pg from "pg"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sharedOrganizationId } from "../src/access/organization.ts"
import { dateBefore, signalLines } from "../src/app/demo/generate/csv.ts"
import { emailAt } from "../src/app/demo/generate/person.ts"
import {
  type ClickHouse,
  clickHouseAt,
} from "../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { RowBinary } from "../src/platform/outbound/clickhouse/row-binary.ts"
import { blocksStore } from "../src/intent/signals/clickhouse/blocks-store.ts"
import { startClickHouse } from "./clickhouse.ts"
import type { BenchPostgres } from "./database.ts"
import { makeFixture, secret } from "./fixture.ts"
import { byHand, cases, filters } from "./preview.ts"
import { duckdb } from "./preview-duckdb.ts"
import { fillOwn, fillSignals, previewDate, sizeDefault } from "./preview-fixture.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"
import { runImport, write } from "./signals.ts"

const rounds = 15
const daysCount = 14
const larger = 10
/** Each takes 10 seconds if it fails. */
const attemptsMax = 60

export const signalStores = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const server = await startClickHouse()
  const database = await postgres.database("bench_signal_stores")
  const { apiKey, organizationId } = await makeFixture(database)
  await fillSignals(database)
  await fillOwn(database, organizationId)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const clickHouse = clickHouseAt(server.address)
  const directory = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  const bench: Bench = { database, apiKey, clickHouse, address: server.address, client }
  try {
    const signals = await countOf(client)
    const size = `${signals.toLocaleString("en")} signals`
    const onPostgres = await previews(bench, "postgres")
    const bytesInPostgres = await bytesOf(client)
    const dayOnPostgres = await oneMoreDay(bench, directory, 0)
    const onDuckdb = await previewsOnDuckdb(client)
    const move = await moveAll(bench)
    const onClickHouse = await previews(bench, "clickhouse")
    const bytesInClickHouse = await clickHouseBytes(clickHouse)
    const dayOnClickHouse = await oneMoreDay(bench, directory, 1)
    const rate = ({ rows, seconds }: Timed) => `${Math.round(rows / seconds)} rows/s`
    const rows: Array<Row> = [
      {
        name: `signal stores: ${size} moved to ClickHouse`,
        floor: "-",
        ours: rate({ rows: signals, seconds: move }),
        ratio: signals / move,
      },
      {
        name: `signal stores: disk of ${size}, ClickHouse / Postgres`,
        floor: mebibytes(bytesInPostgres),
        ours: mebibytes(bytesInClickHouse),
        ratio: bytesInClickHouse / bytesInPostgres,
      },
      {
        name: `signal stores: one more day of ${dayOnPostgres.rows}, ClickHouse / Postgres`,
        floor: rate(dayOnPostgres),
        ours: rate(dayOnClickHouse),
        ratio:
          dayOnClickHouse.rows /
          dayOnClickHouse.seconds /
          (dayOnPostgres.rows / dayOnPostgres.seconds),
      },
    ]
    await enlarge(bench)
    const enlarged = await previews(bench, "clickhouse")
    const largerSize = `${(await countOf(client)).toLocaleString("en")} signals`
    for (const { name } of cases) {
      const [inPostgres, inClickHouse] = [onPostgres.get(name)!, onClickHouse.get(name)!]
      if (inPostgres.total !== inClickHouse.total) throw new Error("The two answers differ.")
      const duck = onDuckdb?.get(name)
      if (duck !== undefined && duck.total !== inPostgres.total) {
        throw new Error(`DuckDB counts ${duck.total} people, Postgres ${inPostgres.total}.`)
      }
      rows.push(
        beside(`${name}, ${size}, ClickHouse / Postgres`, inPostgres.ms, inClickHouse.ms),
        ...(duck === undefined
          ? []
          : [
              beside(`${name}, ${size}, Postgres / DuckDB without HTTP`, duck.ms, inPostgres.ms),
              beside(
                `${name}, ${size}, ClickHouse / DuckDB without HTTP`,
                duck.ms,
                inClickHouse.ms,
              ),
            ]),
        beside(
          `${name}, ClickHouse with ${largerSize} / with ${size}`,
          inClickHouse.ms,
          enlarged.get(name)!.ms,
        ),
      )
    }
    return rows
  } finally {
    await client.end()
    await Effect.runPromise(clickHouse.close)
    await server.close()
    await rm(directory, { recursive: true, force: true })
    await postgres.drop("bench_signal_stores")
  }
}

interface Bench {
  readonly database: string
  readonly apiKey: string
  readonly client: pg.Client
  readonly clickHouse: ClickHouse
  /** In the form of CLICKHOUSE_URL. */
  readonly address: string
}

interface Timed {
  readonly rows: number
  readonly seconds: number
}

interface Previewed {
  readonly total: number
  readonly ms: number
}

const beside = (name: string, floor: number, ours: number): Row => ({
  name: `signal stores: preview, ${name}`,
  floor: `${floor.toFixed(1)} ms`,
  ours: Number.isFinite(ours) ? `${ours.toFixed(1)} ms` : "over 10 s",
  ratio: ours / floor,
})

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`

const environmentOf = (
  { address, database }: Bench,
  store: "postgres" | "clickhouse",
): Readonly<Record<string, string>> => ({
  DATABASE_URL: database,
  FOOTFALL_SECRET: secret,
  RATE_LIMITS: "off",
  LOG_LEVEL: "error",
  CLICKHOUSE_URL: address,
  SIGNAL_STORE: store,
})

/** The medians of previews that all ask the same in other words, so that no result is reused. */
const previews = async (
  bench: Bench,
  store: "postgres" | "clickhouse",
): Promise<ReadonlyMap<string, Previewed>> => {
  const port = await freePort()
  const server = start([serverBin, "start", "--json", "--no-workers"], {
    ...environmentOf(bench, store),
    PORT: String(port),
  })
  const ask = async (topicIds: ReadonlyArray<number>, round: number) => {
    const begin = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/v1/intent/audiences/preview`, {
      method: "POST",
      headers: { "x-api-key": bench.apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        topicIds,
        minTopicOverlap: 2,
        filters: {
          ...filters,
          companyIndustry: [...filters.companyIndustry, `no one's industry ${round}`],
        },
      }),
    })
    const text = await response.text()
    // New addresses or numbers: who they belong to is computed first, which takes longer than a request may.
    if (response.status === 503) return undefined
    if (text.includes("QUERY_TOO_SLOW")) return { ms: Infinity, total: NaN }
    if (!response.ok) throw new Error(`preview: ${text}`)
    const { data } = JSON.parse(text) as { readonly data: { readonly totalCount: number } }
    return { ms: performance.now() - begin, total: data.totalCount }
  }
  try {
    await ready(port, 0)
    const measured = new Map<string, Previewed>()
    for (const { name, topicIds } of cases) {
      let first = await ask(topicIds, 0)
      for (let n = 0; first === undefined && n < attemptsMax; n++) first = await ask(topicIds, 0)
      const times: Array<number> = []
      for (let round = 1; round <= rounds; round++) times.push((await ask(topicIds, round))!.ms)
      measured.set(name, { total: first!.total, ms: median(times) })
    }
    return measured
  } finally {
    await stop(server)
  }
}

/** Undefined without BENCH_DUCKDB. */
const previewsOnDuckdb = async (
  client: pg.Client,
): Promise<ReadonlyMap<string, Previewed> | undefined> => {
  const duck = await duckdb(client)
  if (duck === undefined) return undefined
  const measured = new Map<string, Previewed>()
  for (const { name, topicIds } of cases) {
    const times: Array<number> = []
    let total = 0
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now()
      const result = await duck.runAndReadAll(byHand(topicIds, "list"))
      times.push(performance.now() - begin)
      total = Number(result.getRows()[0]![0])
    }
    measured.set(name, { total, ms: median(times) })
  }
  return measured
}

const moveAll = async (bench: Bench): Promise<number> => {
  const begin = performance.now()
  const child = spawn(
    process.execPath,
    [serverBin, "signals", "copy", "--to", "clickhouse", "--json"],
    {
      env: { ...process.env, ...environmentOf(bench, "clickhouse") },
      stdio: ["ignore", "ignore", "inherit"],
    },
  )
  const [code] = (await once(child, "exit")) as [number | null]
  if (code !== 0) throw new Error(`signals copy ended with ${code}`)
  return (performance.now() - begin) / 1_000
}

const anyTopic = { topicName: "", type: "", industry: "", category: "", words: "" }

/** New people's signals of a date that has none. Where they go depends on where the other dates are. */
const oneMoreDay = async (bench: Bench, directory: string, number: number): Promise<Timed> => {
  const file = join(directory, `day-${number}.csv`)
  const rows = Math.ceil(sizeDefault.signals / daysCount)
  const topics = Array.from({ length: 1_000 }, (_, place) => ({ ...anyTopic, topicId: place + 1 }))
  const seed = 4_100 + number
  await write(
    file,
    signalLines({
      topics,
      peopleCount: Math.ceil(sizeDefault.people / daysCount),
      seed,
      emailOf: (person) => emailAt(person, seed),
      signalsCount: rows,
      daysCount: 1,
      lastDate: dateBefore(previewDate, daysCount + number),
    }),
  )
  const environment = environmentOf(bench, number === 0 ? "postgres" : "clickhouse")
  return { rows, seconds: (await runImport("signals", file, rows, environment)).seconds }
}

const countOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(
    "select sum(signals)::float8 as count from signal_date where date > $1::date - $2::int",
    [previewDate, daysCount],
  )
  return rows[0]!.count
}

const bytesOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(relid))::float8 as bytes
     from pg_partition_tree('signal') where isleaf
     union all select pg_total_relation_size('signal')::float8`,
  )
  return Math.max(...rows.map(({ bytes }) => bytes))
}

const clickHouseBytes = async ({ query, database }: ClickHouse): Promise<number> => {
  const bytes = await Effect.runPromise(
    query(`
      select sum(bytes_on_disk) from system.parts
      where active and database = '${database}' and table = 'footfall_signal'`),
  )
  return new RowBinary(bytes).count()
}

/** Replaces each date by one with ten times the signals, which ClickHouse makes itself. */
const enlarge = async ({ clickHouse, client }: Bench): Promise<void> => {
  const store = blocksStore(clickHouse, undefined)
  const people = Math.floor(sizeDefault.people * 1.1)
  const lot = (salt: number) => `(cityHash64(number, ${salt}) % 1000000007 / 1000000007)`
  for (let day = 0; day < daysCount; day++) {
    const date = dateBefore(previewDate, day)
    const of = { organizationId: sharedOrganizationId, date, generation: randomUUID() }
    const first = Math.ceil((larger * sizeDefault.signals) / daysCount) * day
    const signals = await Effect.runPromise(
      Effect.gen(function* () {
        yield* store.begin(of)
        yield* clickHouse.run(`
          insert into footfall_signal (organization_id, generation, date, topic_id, score, person)
          select '${of.organizationId}', '${of.generation}', '${date}', topic, max(score), person
          from (
            select toUInt32(floor(1000 * pow(${lot(10)}, 2.2))) + 1 as topic,
              toUInt8(1 + floor(${lot(11)} * 100)) as score,
              toUInt32(1 + floor(${people} * pow(${lot(12)}, 1.5))) as person
            from numbers(${first}, ${Math.ceil((larger * sizeDefault.signals) / daysCount)})
          )
          group by topic, person`)
        return yield* store.count(of)
      }),
    )
    await client.query(
      `update signal_date set generation = $1, signals = $2
       where organization_id = $3 and date = $4 and origin = 'import'`,
      [of.generation, signals, of.organizationId, date],
    )
  }
  await client.query("update data_version set version = version + 1 where kind = 'signals'")
}
