// What a second process with workers adds. One process, then two, process the same events of 48 organizations. Postgres
// is 5 ms away, as in a cloud, so that the limit is waiting and not the cores that all processes share here. Two
// processes must be 1.7 times as fast as one. Per event, they and Postgres must use about as much processor time as one
// process does, so that no work is done twice.
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type BenchPostgres, query } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { postgresMs, processorMs } from "./processor-time.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const organizations = 48
const eventsOfEach = Number(process.env["LANES_EVENTS"] ?? 500)
const awayMs = 5
const rounds = Number(process.env["LANES_ROUNDS"] ?? 3)
const longestMs = 120_000

interface Drained {
  /** Events per second. */
  readonly rate: number
  /** Processor time of each process. In milliseconds per event of the total. */
  readonly each: ReadonlyArray<number>
  readonly postgres: number
}

export const lanes = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const measured: Record<1 | 2, Array<Drained>> = { 1: [], 2: [] }
  for (let round = 0; round < rounds; round++) {
    for (const processes of [1, 2] as const) {
      measured[processes].push(await drained(postgres, processes))
    }
  }
  const of = (runs: ReadonlyArray<Drained>, value: (run: Drained) => number) =>
    median(runs.map(value))
  const all = ({ each }: Drained) => each.reduce((sum, ms) => sum + ms, 0)
  const [one, two] = [measured[1], measured[2]]
  const row = (name: string, unit: string, value: (run: Drained) => number, bar?: Row["bar"]) => ({
    name: `lanes: ${name}`,
    floor: `${of(one, value).toPrecision(3)} ${unit}`,
    ours: `${of(two, value).toPrecision(3)} ${unit}`,
    ratio: of(two, value) / of(one, value),
    bar,
  })
  const shares = two.map(({ each }) => Math.min(...each) / Math.max(...each))
  return [
    row("events worked off by two processes, by one", "/s", ({ rate }) => rate, { atLeast: 1.7 }),
    row("processor time of an event in all processes", "ms", all, { atMost: 1.25 }),
    row("processor time of an event in Postgres", "ms", (run) => run.postgres, { atMost: 1.25 }),
    {
      name: "lanes: processor time of one of the two processes, of the other",
      floor: "-",
      ours: "-",
      ratio: median(shares),
    },
  ]
}

const drained = async (postgres: BenchPostgres, processes: 1 | 2): Promise<Drained> => {
  const database = await postgres.database("bench_lanes")
  const proxy = await farAway(new URL(database))
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
  try {
    for (const port of ports) await ready(port, 0)
    await insertEvents(database, 20)
    await untilEmpty(database)
    const used = async () => [
      ...children.map(({ pid }) => processorMs(pid!)),
      await postgresMs(database),
    ]
    const before = await used()
    const begin = performance.now()
    await insertEvents(database, eventsOfEach)
    await untilEmpty(database)
    const ms = performance.now() - begin
    const events = organizations * eventsOfEach
    const spent = (await used()).map((after, place) => (after - before[place]!) / events)
    return {
      rate: (events * 1_000) / ms,
      each: spent.slice(0, -1),
      postgres: spent.at(-1)!,
    }
  } finally {
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

const untilEmpty = async (database: string): Promise<void> => {
  const deadline = performance.now() + longestMs
  while ((await query(database, "select from event_inbox limit 1")).length > 0) {
    if (performance.now() > deadline) throw new Error(`events wait after ${longestMs} ms`)
    await sleep(20)
  }
}

/** A Postgres proxy that delays every answer. */
const farAway = async (direct: URL) => {
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
