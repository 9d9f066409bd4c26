// What another machine in front of Postgres adds: a second process, PgBouncer in transaction mode,
// a read replica. On two shared cores a second process can't be much faster. So each row also says
// how much processor time a request takes in the server and in the primary, which the calculations
// in docs/operations/scale-out.md use.
import type { ChildProcess } from "node:child_process"
import { mkdtemp, rm, chmod } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPgBouncer } from "../test/support/pgbouncer.ts"
import { startStandby } from "../test/support/standby.ts"
import { type BenchPostgres, query } from "./database.ts"
import { domain, type Fixture, fillVisitors, makeFixture, secret } from "./fixture.ts"
import { load } from "./load.ts"
import { postgresMs, processorMs } from "./processor-time.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rounds = Number(process.env["SCALE_ROUNDS"] ?? 3)
const seconds = 4

interface Cost {
  readonly perSecond: number
  /** Milliseconds of processor time per request. */
  readonly server: number
  readonly primary: number
}

const work = {
  "page views accepted": { connections: 64, request: (fixture: Fixture) => pageView(fixture) },
  "next pages of a list": { connections: 8, request: (fixture: Fixture) => listPage(fixture) },
}
type Work = keyof typeof work
const works = Object.keys(work) as ReadonlyArray<Work>

export const scale = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const folder = await mkdtemp(join(tmpdir(), "footfall-bench-"))
  // Postgres and PgBouncer do not run as root, and need access to their files.
  await chmod(folder, 0o755)
  try {
    return [...(await processesAndPooler(postgres, folder)), ...(await replica(folder))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const processesAndPooler = async (postgres: BenchPostgres, folder: string) => {
  const direct = await postgres.database("bench_scale")
  const fixture = await makeFixture(direct)
  await fillVisitors(direct, fixture)
  const address = new URL(direct)
  const bouncer = await startPgBouncer({
    folder,
    host: address.searchParams.get("host") ?? address.hostname,
    serverPort: Number(address.port),
    user: address.username,
    poolSize: 10,
  })
  const through = `postgres://${address.username}@127.0.0.1:${bouncer.port}${address.pathname}`
  try {
    const rows: Array<Row> = []
    for (const name of works) {
      const costs = await alternating({
        one: () => cost(name, fixture, direct, 1, { DATABASE_URL: direct }),
        two: () => cost(name, fixture, direct, 2, { DATABASE_URL: direct }),
        pooled: () => cost(name, fixture, direct, 1, { DATABASE_URL: through }),
      })
      rows.push(row(`${name}, two processes / one`, costs.one, costs.two))
      rows.push(row(`${name}, through PgBouncer / without`, costs.one, costs.pooled))
    }
    return rows
  } finally {
    await bouncer.stop()
    await postgres.drop("bench_scale")
  }
}

/** Lists from the replica. Processor time shows what the primary still does for them. */
const replica = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const pair = await startStandby(folder)
  const name = "next pages of a list"
  const url = pair.primaryUrl
  try {
    const migrating = await served({ DATABASE_URL: url }, 1)
    await migrating.stop()
    const fixture = await makeFixture(url)
    await fillVisitors(url, fixture)
    await pair.caughtUp()
    const costs = await alternating({
      primary: () => cost(name, fixture, url, 1, { DATABASE_URL: url }),
      replica: () =>
        cost(name, fixture, url, 1, { DATABASE_URL: url, DATABASE_READ_URL: pair.replicaUrl }),
    })
    return [row(`${name}, from a replica / from the primary`, costs.primary, costs.replica)]
  } finally {
    await pair.stop()
  }
}

const row = (name: string, floor: Cost, ours: Cost): Row => ({
  name: `scale: ${name}`,
  floor: text(floor),
  ours: text(ours),
  ratio: ours.perSecond / floor.perSecond,
})

const text = ({ perSecond, primary, server }: Cost): string =>
  `${perSecond.toFixed(0)}/s, server ${server.toPrecision(2)} ms, Postgres ${primary.toPrecision(2)} ms`

/** Alternates, and returns the medians. */
const alternating = async <Name extends string>(
  measure: Readonly<Record<Name, () => Promise<Cost>>>,
): Promise<Readonly<Record<Name, Cost>>> => {
  const names = Object.keys(measure) as Array<Name>
  const measured = Object.fromEntries(names.map((name) => [name, [] as Array<Cost>]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured[name]!.push(await measure[name]())
  }
  const of = (name: Name, part: keyof Cost) => median(measured[name]!.map((each) => each[part]))
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        perSecond: of(name, "perSecond"),
        server: of(name, "server"),
        primary: of(name, "primary"),
      },
    ]),
  ) as Record<Name, Cost>
}

/** `primary`: the address of the Postgres whose processor time counts. */
const cost = async (
  name: Work,
  fixture: Fixture,
  primary: string,
  processes: number,
  environment: Readonly<Record<string, string>>,
): Promise<Cost> => {
  await query(primary, "truncate event_inbox, event, browser")
  const servers = await served(environment, processes)
  try {
    const used = async () => [
      servers.children.reduce((sum, { pid }) => sum + processorMs(pid!), 0),
      await postgresMs(primary),
    ]
    const { connections, request } = work[name]
    const options = { ...(await request(fixture)), connections: connections / processes }
    await Promise.all(
      servers.ports.map((port) => load({ ...options, port, seconds: 1, warmUpSeconds: 0 })),
    )
    const before = await used()
    const results = await Promise.all(
      servers.ports.map((port) => load({ ...options, port, seconds, warmUpSeconds: 0 })),
    )
    const spent = (await used()).map((after, place) => after - before[place]!)
    const answers = results.reduce((sum, result) => sum + result.answers, 0)
    const okCount = results.reduce(
      (sum, { statuses }) => sum + (statuses["200"] ?? 0) + (statuses["204"] ?? 0),
      0,
    )
    if (okCount !== answers) throw new Error(JSON.stringify(results))
    return {
      perSecond: answers / seconds,
      server: spent[0]! / answers,
      primary: spent[1]! / answers,
    }
  } finally {
    await servers.stop()
  }
}

const served = async (environment: Readonly<Record<string, string>>, processes: number) => {
  const ports = await Promise.all(Array.from({ length: processes }, freePort))
  const children: ReadonlyArray<ChildProcess> = ports.map((port) =>
    start([serverBin, "start", "--json", "--no-workers"], {
      ...environment,
      FOOTFALL_SECRET: secret,
      RATE_LIMITS: "off",
      LOG_LEVEL: "error",
      PORT: String(port),
    }),
  )
  for (const port of ports) await ready(port, 0, "/readyz")
  return { children, ports, stop: () => Promise.all(children.map(stop)) }
}

const pageView = async ({ pixelId }: Fixture) => ({
  method: "POST" as const,
  path: `/p/${pixelId}/e`,
  headers: { "content-type": "text/plain", "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/140" },
  body: JSON.stringify({
    v: 1,
    sentAt: "2026-11-21T09:00:00.000Z",
    anonymousId: "{{browser}}",
    consent: "granted",
    events: [
      {
        id: "{{id}}",
        type: "page",
        time: "2026-11-21T09:00:00.000Z",
        url: `https://www.${domain}/pricing`,
        referrer: null,
        title: "Pricing",
      },
    ],
  }),
})

const listPage = async ({ apiKey }: Fixture) => ({
  method: "GET" as const,
  path: "/v1/data?timeframe=30d&page=2",
  headers: { "x-api-key": apiKey },
  body: "",
})
