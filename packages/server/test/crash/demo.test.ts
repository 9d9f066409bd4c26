// `start --demo` is killed at any time during its first start and started again: the demo works, with all of its
// visitors. FOOTFALL_SOAK=1 for more kills.
import { Footfall } from "@footfall/sdk"
import { DateTime, Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, it } from "vitest"
import { makeSample } from "../../src/app/demo/sample.ts"
import { processesOn } from "../support/database-directory.ts"
import {
  embeddedPostgres,
  killLeftServers,
  makeServerHome,
  ServerProcess,
  type ServerHome,
} from "../support/server-process.ts"

const moments = process.env["FOOTFALL_SOAK"] === "1" ? 20 : 1

afterAll(killLeftServers)

/** The sample's people and page views don't depend on when it is created. */
const sample = makeSample({
  organizationId: "11111111-1111-4111-8111-111111111111",
  pixelId: "22222222-2222-4222-8222-222222222222",
  origin: "http://localhost:4100",
  now: DateTime.makeUnsafe("2026-03-11T09:00:00.000Z"),
  seed: 4100,
})

/** Browsers of identified people. The page views of the others belong to no visitor. */
const identified = new Set(
  sample.events.flatMap(({ anonymousId, type }) => (type === "identify" ? [anonymousId] : [])),
)

const expected = {
  visitors: new Set(sample.people.map(({ email }) => email)).size,
  pageviews: sample.events.filter(
    ({ anonymousId, type }) => type === "page" && identified.has(anonymousId),
  ).length,
}

const shownBy = async (server: ServerProcess) => {
  const { demo, url } = await server.ready
  const sdk = new Footfall({ baseUrl: url, apiKey: demo?.apiKey ?? "" })
  let visitors = 0
  let pageviews = 0
  for await (const visitor of sdk.visitors.list({ timeframe: "all" })) {
    visitors++
    pageviews += visitor.pageviews
  }
  const page = await fetch(`${url}/demo`)
  const pixel = await fetch(`${url}/p/${demo?.pixelId}.js`)
  return { visitors, pageviews, page: page.status, pixel: pixel.status }
}

const working = { ...expected, page: 200, pixel: 200 }

/** Kills a first start when `moment` resolves, then checks the second start. */
const expectWorkingAfter = async (home: ServerHome, moment: Promise<unknown>): Promise<void> => {
  const killed = ServerProcess.launch(home, "--demo")
  await moment
  await killed.kill()

  const server = await ServerProcess.start(home, "--demo")

  expect(await shownBy(server)).toEqual(working)
  expect(await server.stop()).toBe(0)
  expect(await Effect.runPromise(processesOn(home.dataDir))).toEqual([])
}

it("a demo works after kill -9 at any time during its first start", async () => {
  const home = await makeServerHome({ RATE_LIMITS: "off" })
  const startedAt = performance.now()
  const server = await ServerProcess.start(home, "--demo")
  const startMs = performance.now() - startedAt
  expect(await shownBy(server)).toEqual(working)
  expect(await server.stop()).toBe(0)

  for (let moment = 1; moment <= moments; moment++) {
    const fresh = await makeServerHome({ RATE_LIMITS: "off" })
    await expectWorkingAfter(fresh, wait((startMs * moment) / (moments + 1)))
  }
}, 300_000)

it("a demo works after kill -9 at the moment its keys are stored", async () => {
  const home = await makeServerHome({ RATE_LIMITS: "off" })

  await expectWorkingAfter(home, fileAppears(join(home.dataDir, "demo.json")))
})

it("a demo works after kill -9 at the moment its organization becomes visible", async () => {
  const home = await makeServerHome({ RATE_LIMITS: "off" })

  await expectWorkingAfter(home, organizationAppears(home))
})

const fileAppears = async (file: string): Promise<void> => {
  while (!existsSync(file)) await wait(1)
}

const organizationAppears = async (home: ServerHome): Promise<void> => {
  await fileAppears(join(home.dataDir, "postgres", "postmaster.pid"))
  while (!(await hasOrganization(home))) await wait(1)
}

/** Also false while Postgres doesn't run or has no tables. */
const hasOrganization = async (home: ServerHome): Promise<boolean> => {
  const client = new pg.Client((await embeddedPostgres(home)).connection)
  try {
    await client.connect()
    return (await client.query("select 1 from organization")).rows.length > 0
  } catch {
    return false
  } finally {
    await client.end()
  }
}
