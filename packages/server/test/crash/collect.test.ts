// The server is ended repeatedly under 500 events a second, by kill -9 of the server, of its Postgres or of both, and
// by Ctrl-C. Each acknowledged event is stored once and counted once, and no process remains. FOOTFALL_SOAK=1 for the
// full number of kills.
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { processesOn } from "../support/database-directory.ts"
import { killLeftServers } from "../support/server-process.ts"
import { random } from "../identification/simulation.ts"
import { OfferedLoad } from "./offered-load.ts"
import { recount } from "./recount.ts"
import { killAll, Site } from "./site.ts"
import { siteTraffic } from "./site-traffic.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const eventsPerSecond = 500
const timeoutMs = isSoak ? 600_000 : 300_000

/** One installation for all cases, so each case also starts on what the earlier ones left. */
let site: Site
/** Ids of the acknowledged events, in all cases so far. */
const acknowledged: Array<string> = []

beforeAll(async () => {
  site = await Site.open()
}, timeoutMs)
afterAll(killLeftServers)

interface Ordeal {
  readonly kills: number
  readonly seed: number
  /** Kills at this moment. */
  crash(moment: () => Promise<void>): Promise<void>
}

const survive = async ({ crash, kills, seed }: Ordeal): Promise<void> => {
  if (site.server.hasEnded) await site.startAgain()
  const { pixels, url } = site
  const load = new OfferedLoad(siteTraffic({ seed, url, pixels, browsers: 120 }))
  const below = random(seed)

  load.start(eventsPerSecond)
  for (let kill = 0; kill < kills; kill++) {
    const events = 200 + below(500)
    await crash(async () => {
      await load.acknowledgedMore(events)
      // Right after a response, whose promise must be kept. Or right after a pass has counted, when the events it
      // counted must no longer be waiting.
      if (kill % 2 === 1) await site.nextCount()
    })
  }
  await load.acknowledgedMore(50)
  await load.finish()
  acknowledged.push(...load.acknowledged)
  await site.drain()

  await expectAllOnce()
  expect(await site.server.stop()).toBe(0)
  expect(await Effect.runPromise(processesOn(site.home.dataDir))).toEqual([])
}

const expectAllOnce = async (): Promise<void> => {
  const events = await site.events()
  const stored = events.map(({ id }) => id)
  expect(missingFrom(stored, acknowledged)).toEqual([])
  expect(missingFrom(acknowledged, stored)).toEqual([])
  // Not compared as sets: an event stored twice is one too many.
  expect(stored.length).toBe(acknowledged.length)

  const { sessions, visitors } = recount(events)
  expect(visitors.size).toBeGreaterThan(20)
  const [counted] = await site.sql(
    `select count(*)::int as sessions, sum(pageviews)::int as pageviews,
       sum(active_seconds)::int as seconds,
       (select count(*)::int from event where session_id is null) as "setAside"
     from session`,
  )
  expect(counted).toEqual({
    sessions: sessions.length,
    pageviews: sessions.reduce((sum, { pageviews }) => sum + pageviews, 0),
    seconds: sessions.reduce((sum, { active }) => sum + (active ?? 0), 0),
    setAside: 0,
  })
  const listed = (await site.visitors()).map((visitor) => [
    visitor.email,
    {
      sessions: visitor.sessions,
      pageviews: visitor.pageviews,
      pricingPageViews: visitor.pricingPageViews,
      demoPageViews: visitor.demoPageViews,
      firstSeenAt: visitor.firstSeenAt,
      lastSeenAt: visitor.lastSeenAt,
    },
  ])
  expect(listed.toSorted(byText)).toEqual([...visitors].toSorted(byText))
}

const missingFrom = (these: ReadonlyArray<string>, those: ReadonlyArray<string>) => {
  const known = new Set(these)
  return those.filter((one) => !known.has(one))
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

describe("every acknowledged event is stored once and counted once", () => {
  it(
    "after kill -9 of the server, and no Postgres remains after another start and stop",
    () =>
      survive({
        kills: isSoak ? 20 : 2,
        seed: 11,
        crash: async (moment) => {
          await moment()
          await site.server.kill()
          await site.startAgain()
        },
      }),
    timeoutMs,
  )

  it(
    "after kill -9 of the server and its Postgres together",
    () =>
      survive({
        kills: isSoak ? 10 : 2,
        seed: 12,
        crash: async (moment) => {
          const postgres = await site.postgresProcesses()
          await moment()
          killAll(postgres)
          await site.server.kill()
          await site.startAgain()
        },
      }),
    timeoutMs,
  )

  it(
    "after kill -9 of Postgres while the server keeps running",
    () =>
      survive({
        kills: isSoak ? 10 : 2,
        seed: 13,
        crash: async (moment) => {
          const postgres = await site.postgresProcesses()
          await moment()
          killAll(postgres)
          await site.postgresIsBack()
        },
      }),
    timeoutMs,
  )

  it(
    "after Ctrl-C under load, which ends with 0",
    () =>
      survive({
        kills: isSoak ? 10 : 2,
        seed: 14,
        crash: async (moment) => {
          await moment()
          expect(await site.server.stop()).toBe(0)
          await site.startAgain()
        },
      }),
    timeoutMs,
  )
})
