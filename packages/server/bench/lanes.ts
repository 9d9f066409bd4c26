// Measures what a second worker process adds. One process, then two, process the same events of 48
// organizations. Postgres is 20 ms away, so that waiting is the limit, and not the cores that all
// processes share here: two processes must be 1.7 times as fast as one. Per event, they and
// Postgres must use about as much processor time as one process does, so that no work is done
// twice. No Postgres session may wait for another's lock, so that no lane waits for another. The
// rate without the start and the end shows what it costs to wait up to a second for events and for
// the fullest lane. At 5 ms, as in a cloud, two processes need more than two cores; the share of
// the cores in use is shown.
import pg from "pg"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { availableParallelism } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { type BenchPostgres, query } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { postgresMs, processorMs } from "./processor-time.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const organizations = 48
const eventsOfEach = Number(process.env["LANES_EVENTS"] ?? 500)
/** Milliseconds to Postgres. The bars apply to the first value. */
const distances = (process.env["LANES_AWAY"] ?? "20,5").split(",").map(Number)
const rounds = Number(process.env["LANES_ROUNDS"] ?? 3)
const longestMs = 120_000
const sampleEveryMs = 100

interface Drained {
  /** Events per second. */
  readonly rate: number
  /**
   * Rate between a tenth and four fifths of the events, so without the start and without the last
   * organizations.
   */
  readonly steadyRate: number
  /** Processor time of each process, in milliseconds per event of the total. */
  readonly each: ReadonlyArray<number>
  readonly postgres: number
  /** Processor time of all of them and of the Postgres proxy, as a share of the machine's cores. */
  readonly busy: number
  /** The share of samples in which a session waits for another's lock. */
  readonly lockWaits: number
}

export const lanes = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const awayMs of distances) {
    const measured: Record<1 | 2, Array<Drained>> = { 1: [], 2: [] }
    for (let round = 0; round < rounds; round++) {
      for (const processes of [1, 2] as const) {
        measured[processes].push(await drained(postgres, { awayMs, processes }))
      }
    }
    rows.push(...rowsOf(awayMs, measured))
  }
  return rows
}

const rowsOf = (
  awayMs: number,
  { 1: one, 2: two }: Record<1 | 2, ReadonlyArray<Drained>>,
): ReadonlyArray<Row> => {
  const of = (runs: ReadonlyArray<Drained>, value: (run: Drained) => number) =>
    median(runs.map(value))
  const all = ({ each }: Drained) => each.reduce((sum, ms) => sum + ms, 0)
  const hasBar = awayMs === distances[0]
  const row = (name: string, unit: string, value: (run: Drained) => number, bar?: Row["bar"]) => ({
    name: `lanes, Postgres ${awayMs} ms away: ${name}`,
    floor: `${of(one, value).toPrecision(3)} ${unit}`,
    ours: `${of(two, value).toPrecision(3)} ${unit}`,
    ratio: of(two, value) / of(one, value),
    bar: hasBar ? bar : undefined,
  })
  const share = (name: string, value: (run: Drained) => number, bar?: Row["bar"]) => ({
    name: `lanes, Postgres ${awayMs} ms away: ${name}`,
    floor: of(one, value).toFixed(2),
    ours: of(two, value).toFixed(2),
    ratio: of(two, value),
    bar: hasBar ? bar : undefined,
  })
  return [
    row("events worked off by two processes, by one", "/s", ({ rate }) => rate, { atLeast: 1.7 }),
    row("the same without the start and the end", "/s", ({ steadyRate }) => steadyRate),
    row("processor time of an event in all processes", "ms", all, { atMost: 1.25 }),
    row("processor time of an event in Postgres", "ms", (run) => run.postgres, { atMost: 1.25 }),
    share(
      "processor time of the idler process, of the busier",
      ({ each }) => Math.min(...each) / Math.max(...each),
    ),
    share("the cores in use", ({ busy }) => busy),
    share("moments in which a session waits for a lock", ({ lockWaits }) => lockWaits, {
      atMost: 0.05,
    }),
  ]
}

const drained = async (
  postgres: BenchPostgres,
  { awayMs, processes }: { readonly awayMs: number; readonly processes: 1 | 2 },
): Promise<Drained> => {
  const database = await postgres.database("bench_lanes")
  const proxy = await startSlowProxy(new URL(database), awayMs)
  const ports = await Promise.all(Array.from({ length: processes }, freePort))
  await makeFixture(database)
  const environment = {
    DATABASE_URL: proxy.address,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  }
  const children = ports.map((port) =>
    start([serverBin, "start", "--json"], { ...environment, PORT: String(port) }),
  )
  const watch = new pg.Client({ connectionString: database })
  await watch.connect()
  try {
    for (const port of ports) await ready(port, 0)
    await insertEvents(database, 20)
    await untilEmpty(watch, organizations * 20)
    const used = async () => [
      ...children.map(({ pid }) => processorMs(pid!)),
      await postgresMs(database),
      processorMs("self"),
    ]
    const before = await used()
    const begin = performance.now()
    await insertEvents(database, eventsOfEach)
    const events = organizations * eventsOfEach
    const { lockWaits, steadyRate } = await untilEmpty(watch, events)
    const ms = performance.now() - begin
    const spent = (await used()).map((after, place) => after - before[place]!)
    return {
      rate: (events * 1_000) / ms,
      steadyRate,
      each: spent.slice(0, -2).map((each) => each / events),
      postgres: spent.at(-2)! / events,
      busy: spent.reduce((sum, each) => sum + each, 0) / (ms * availableParallelism()),
      lockWaits,
    }
  } finally {
    await watch.end()
    await Promise.all(children.map(stop))
    await proxy.close()
    await postgres.drop("bench_lanes")
  }
}

/** Three pages and an address per browser. */
const insertEvents = (database: string, events: number) =>
  query(
    database,
    `with o as (
       insert into organization (id, name, slug)
       select id, 'Lane', id::text
       from unnest($1::uuid[]) as id
       on conflict do nothing
       returning id
     ), p as (
       insert into pixel (organization_id, id, domain, name) select id, id, '${domain}', 'Lane' from o
     )
     insert into event_inbox (organization_id, pixel_id, id, anonymous_id, type, occurred_at, url, payload)
     select id, id, gen_random_uuid(), md5(id::text || n / 4)::uuid,
       case n % 4 when 1 then 'identify' else 'page' end, now(), 'https://${domain}/pricing',
       case n % 4 when 1
         then jsonb_build_object('k', 'granted', 'd', 'desktop', 'e', 'p' || n || '@harbor.example')
         else '{"k": "granted", "d": "desktop"}'::jsonb end
     from generate_series(1, $2::int) as n cross join unnest($1::uuid[]) as id`,
    [ids, events],
  )

const ids = Array.from({ length: organizations }, () => randomUUID())

const untilEmpty = async (
  watch: pg.Client,
  events: number,
): Promise<Pick<Drained, "steadyRate" | "lockWaits">> => {
  const deadline = performance.now() + longestMs
  const samples: Array<{ readonly at: number; readonly left: number; readonly waits: boolean }> = []
  for (;;) {
    const { rows } = await watch.query<{ left: number; waits: boolean }>(
      `select (select count(*)::int from event_inbox) as left, exists (
         select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
       ) as waits`,
    )
    samples.push({ at: performance.now(), ...rows[0]! })
    if (samples.at(-1)!.left === 0) {
      const begun = samples.find(({ left }) => left <= events * 0.9)!
      const nearlyDone = samples.find(({ left }) => left <= events * 0.2)!
      return {
        steadyRate: ((begun.left - nearlyDone.left) * 1_000) / (nearlyDone.at - begun.at),
        lockWaits: samples.filter(({ waits }) => waits).length / samples.length,
      }
    }
    if (performance.now() > deadline) throw new Error(`events wait after ${longestMs} ms`)
    await sleep(sampleEveryMs)
  }
}

/** A Postgres proxy that delays every response. */
const startSlowProxy = async (direct: URL, awayMs: number) => {
  const host = direct.searchParams.get("host") ?? direct.hostname
  const port = Number(direct.port)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(
      host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    )
    for (const socket of [near, far]) {
      open.add(socket)
      socket.setNoDelay?.(true)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on("data", (bytes) => setTimeout(() => near.write(bytes), awayMs))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = new URL(direct)
  address.searchParams.delete("host")
  address.hostname = "127.0.0.1"
  address.port = String((server.address() as AddressInfo).port)
  return {
    address: address.href,
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
