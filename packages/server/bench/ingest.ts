// (a) Ingest: acknowledged events per second at 64 connections with one page view per request. Floor and server
// alternate on one database. With workers the server also identifies these events.
import { query, type BenchPostgres } from "./database.ts"
import { domain, makeFixture, secret } from "./fixture.ts"
import { load, type LoadResult } from "./load.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const rounds = 5
const seconds = 4
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
      return { perSecond: result.perSecond, identified: await identifiedShare(database, result) }
    } finally {
      await stop(child)
    }
  }
  const port = await freePort()
  const floor = [floorScript, String(port), database, fixture.organizationId, fixture.pixelId]
  const server = [serverBin, "start", "--json"]
  const apart: Array<Round> = []
  const together: Array<Round> = []
  for (let round = 0; round < rounds; round++) {
    const base = (await measure(floor, port)).perSecond
    apart.push({ base, ...(await measure([...server, "--no-workers"], port)) })
    together.push({ base, ...(await measure(server, port)) })
  }
  const row = (name: string, measured: ReadonlyArray<Round>, atLeast: number): Row => ({
    name,
    floor: `${Math.round(median(measured.map(({ base }) => base)))}/s`,
    ours: `${Math.round(median(measured.map(({ perSecond }) => perSecond)))}/s`,
    ratio: median(measured.map(({ base, perSecond }) => perSecond / base)),
    bar: { atLeast },
  })
  const identified = median(together.map((round) => round.identified))
  return [
    row("(a) ingest, 64 connections, workers apart", apart, 0.75),
    row("(a) ingest, 64 connections, workers in the same process", together, 0.5),
    {
      name: "(a) ingest, share of these events identified by the end",
      floor: "-",
      ours: `${Math.round(100 * identified)} %`,
      ratio: identified,
    },
  ]
}

interface Round {
  /** Of the floor, just before. */
  readonly base: number
  readonly perSecond: number
  readonly identified: number
}

/** If an acknowledged event isn't stored, the figure is worthless. */
const identifiedShare = async (database: string, result: LoadResult): Promise<number> => {
  const [row] = await query(
    database,
    "select (select count(*) from event_inbox) as waiting, (select count(*) from event) as identified",
  )
  const identified = Number(row!["identified"])
  const stored = Number(row!["waiting"]) + identified
  const acknowledged = result.statuses["204"] ?? 0
  if (acknowledged !== result.answers || stored < acknowledged) {
    throw new Error(`acknowledged ${acknowledged} of ${result.answers}, stored ${stored}`)
  }
  return identified / stored
}
