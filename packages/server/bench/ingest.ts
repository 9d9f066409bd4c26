// (a) Ingest: acknowledged events per second at 64 connections with one page view per request. Floor and server
// alternate on one database. With workers the server also identifies these events.
import { query, type BenchPostgres } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { load, type LoadResult } from "./load.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rounds = 3
const seconds = 5
const floorScript = new URL("./ingest-floor.ts", import.meta.url).pathname

const batch = JSON.stringify({
  v: 1,
  sentAt: "2026-11-21T09:00:00.000Z",
  anonymousId: "{{browser}}",
  consent: "granted",
  events: [
    {
      id: "{{id}}",
      type: "page",
      time: "2026-11-21T09:00:00.000Z",
      url: `https://www.${domain}/pricing?utm_source=newsletter&utm_medium=email`,
      referrer: null,
      title: "Pricing",
    },
  ],
})

export const ingest = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_ingest")
  const fixture = await makeFixture(database)
  const measure = async (args: ReadonlyArray<string>, port: number) => {
    await query(database, "truncate event_inbox, event, session, browser")
    await query(database, "checkpoint")
    const child = start(args, {
      DATABASE_URL: database,
      FOOTFALL_SECRET: secret,
      RATE_LIMITS: "off",
      LOG_LEVEL: "error",
      PORT: String(port),
    })
    try {
      await ready(port, 0)
      const result = await load({
        port,
        connections: 64,
        seconds,
        warmUpSeconds: 2,
        method: "POST",
        path: `/p/${fixture.pixelId}/e`,
        headers: {
          "content-type": "text/plain",
          "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/140",
        },
        body: batch,
      })
      await assertStored(database, result)
      return result.perSecond
    } finally {
      await stop(child)
    }
  }
  const port = await freePort()
  const floor = [floorScript, String(port), database, fixture.organizationId, fixture.pixelId]
  const server = [serverBin, "start", "--json"]
  const results = {
    floor: [] as Array<number>,
    server: [] as Array<number>,
    working: [] as Array<number>,
  }
  for (let round = 0; round < rounds; round++) {
    results.floor.push(await measure(floor, port))
    results.server.push(await measure([...server, "--no-workers"], port))
    results.working.push(await measure(server, port))
  }
  const base = median(results.floor)
  const row = (name: string, values: ReadonlyArray<number>, bar?: number): Row => ({
    name,
    floor: `${Math.round(base)}/s`,
    ours: `${Math.round(median(values))}/s`,
    ratio: median(values) / base,
    bar: bar === undefined ? undefined : { atLeast: bar },
  })
  return [
    row("(a) ingest, 64 connections, workers apart", results.server, 0.75),
    row("(a) ingest, 64 connections, workers in the same process", results.working, 0.5),
  ]
}

/** If an acknowledged event isn't stored, the figure is worthless. */
const assertStored = async (database: string, result: LoadResult): Promise<void> => {
  const [row] = await query(
    database,
    "select (select count(*) from event_inbox) + (select count(*) from event) as stored",
  )
  const acknowledged = result.statuses["204"] ?? 0
  if (acknowledged !== result.answers || Number(row?.["stored"]) < acknowledged) {
    throw new Error(`acknowledged ${acknowledged} of ${result.answers}, stored ${row?.["stored"]}`)
  }
}
