// When own intent is counted (spec 2.18): once a day from 00:15 UTC on, for the day that ended, once across all
// processes, and after a downtime for the missed days.
import { Footfall } from "@footfall/sdk"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { TestOrganization } from "../../support/server.ts"
import { putTopics, topic } from "../topics.ts"
import {
  dayAfter,
  endedDay,
  makePerson,
  type OwnIntentServer,
  type Person,
  setRules,
  signalsOf,
  startOwnIntent,
  startOwnIntentServer,
  view,
  workedUntil,
} from "./worker.ts"

let server: OwnIntentServer
let organization: TestOrganization
let day: string
let person: Person

beforeAll(async () => {
  server = await startOwnIntentServer()
  await putTopics(server, [topic(7, "Warehouse Management Software")])
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.sql("delete from pixel where settings ? 'topicRules'")
  organization = await server.makeOrganization()
  day = await endedDay(server)
  person = await makePerson(server, organization.organizationId)
  await setRules(server, organization.pixelId, [{ path: "/wms", topicId: 7 }])
})

const viewOn = (days: number, count = 1) =>
  view(
    server,
    organization.organizationId,
    Array.from({ length: count }, () => ({
      person,
      pixelId: organization.pixelId,
      url: "https://tidewater.example/wms",
      at: `${dayAfter(day, days)}T12:00:00Z`,
    })),
  )

const scores = async () =>
  (await signalsOf(server, organization.organizationId)).map(({ date, score }) => [date, score])
const noted = async () =>
  (await server.sql("select date::text from own_intent_day order by date")).map(({ date }) => date)
const tasks = () => server.sql("select organization_id, date::text from own_intent_task")

describe("a day", () => {
  it("is counted once: page views that arrive later change nothing", async () => {
    await workedUntil(server, dayAfter(day, -1))
    await viewOn(0)
    await server.runDue()
    expect(await scores()).toEqual([[day, 50]])

    await viewOn(0, 3)
    await server.runDue()

    expect(await scores()).toEqual([[day, 50]])
    expect(await tasks()).toEqual([])
  })

  it("is not counted again by rules created after it was counted", async () => {
    await workedUntil(server, day)
    await viewOn(0)

    await server.runDue()

    expect(await scores()).toEqual([])
  })

  it("counts as ended at the configured minute, and not before", async () => {
    const [now] = await server.sql(
      `select extract(hour from utc)::int * 60 + extract(minute from utc)::int as minutes
       from (select now() at time zone 'utc' as utc) as t`,
    )
    const minutes = Number(now?.["minutes"])
    const yesterday = await endedDay(server, 0)
    await workedUntil(server, dayAfter(yesterday, -1))
    const early = startOwnIntent(server, minutes + 2)
    await early.runDue()
    expect(await noted()).toEqual([dayAfter(yesterday, -1)])
    await early.close()

    const due = startOwnIntent(server, minutes)
    await due.runDue()

    expect(await noted()).toEqual([dayAfter(yesterday, -1), yesterday])
    await due.close()
  })

  it("is the one that ended last on a new server, and none before it", async () => {
    await server.sql("delete from own_intent_day")
    await viewOn(0)
    await viewOn(-1)

    await server.runDue()

    expect(await noted()).toEqual([day])
    expect(await scores()).toEqual([[day, 60]])
  })
})

describe("after a downtime", () => {
  it("each missed day is counted, with its own window", async () => {
    await workedUntil(server, dayAfter(day, -3))
    await viewOn(-2, 2)
    await viewOn(0)

    await server.runDue()

    expect(await scores()).toEqual([
      [dayAfter(day, -2), 60],
      [dayAfter(day, -1), 60],
      [day, 70],
    ])
  })

  it("after more than 7 days, the last 7 are counted", async () => {
    await workedUntil(server, dayAfter(day, -30))
    await viewOn(-20)
    await viewOn(-8)

    await server.runDue()

    expect((await noted()).slice(1)).toEqual(
      [-6, -5, -4, -3, -2, -1, 0].map((n) => dayAfter(day, n)),
    )
    expect(await scores()).toEqual([-6, -5, -4, -3, -2].map((n) => [dayAfter(day, n), 50]))
  })

  it("a task that failed for 7 days is abandoned", async () => {
    await workedUntil(server, day)
    const { organizationId } = organization
    await server.sql(
      `insert into own_intent_task (organization_id, date, attempt_at, noted_at) values
         ($1, $2, now() + interval '1 day', now() - interval '167 hours'),
         ($1, $3, now() + interval '1 day', now() - interval '169 hours')`,
      [organizationId, dayAfter(day, -6), dayAfter(day, -7)],
    )

    await server.runDue()

    expect(await tasks()).toEqual([{ organization_id: organizationId, date: dayAfter(day, -6) }])
  })
})

describe("after topic rules changed", () => {
  const today = async () =>
    String((await server.sql("select (now() at time zone 'utc')::date::text as day"))[0]?.["day"])
  const sdk = () => new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
  const change = (topicRules: ReadonlyArray<{ path: string; topicId: number }>) =>
    sdk().pixels.update(organization.pixelId, { settings: { topicRules } })

  it("the last 30 days, including today, are counted immediately", async () => {
    await workedUntil(server, await endedDay(server))
    const present = await today()
    const at = (days: number) => ({
      person,
      pixelId: organization.pixelId,
      url: "https://tidewater.example/pricing",
      at: `${dayAfter(present, days)}T00:00:00Z`,
    })
    await view(server, organization.organizationId, [at(0), at(-20), at(-40)])

    await change([{ path: "/pricing", topicId: 7 }])
    await server.runDue()

    const days = [...Array.from({ length: 7 }, (_, back) => -20 + back), 0]
    expect(await scores()).toEqual(days.map((days) => [dayAfter(present, days), 50]))
  })

  it("page views count on the day they were seen, no matter how late they were received", async () => {
    await workedUntil(server, await endedDay(server))
    const present = await today()
    const page = {
      person,
      pixelId: organization.pixelId,
      url: "https://tidewater.example/pricing",
    }
    const at = (days: number) => `${dayAfter(present, days)}T00:00:00Z`
    await view(server, organization.organizationId, [
      { ...page, at: at(-29), receivedAt: at(-1) },
      { ...page, at: at(-29), receivedAt: at(0) },
    ])

    await change([{ path: "/pricing", topicId: 7 }])
    await server.runDue()

    const days = Array.from({ length: 7 }, (_, back) => -29 + back)
    expect(await scores()).toEqual(days.map((day) => [dayAfter(present, day), 60]))
  })

  it("a day whose page views are partly deleted keeps its signals", async () => {
    await workedUntil(server, await endedDay(server))
    const present = await today()
    const seen = (days: number, count = 1) =>
      view(
        server,
        organization.organizationId,
        Array.from({ length: count }, () => ({
          person,
          pixelId: organization.pixelId,
          url: "https://tidewater.example/pricing",
          at: `${dayAfter(present, days)}T00:00:00Z`,
        })),
      )
    await seen(-30)
    await seen(-25)
    await change([{ path: "/pricing", topicId: 7 }])
    await server.runDue()
    const counted = async (days: number) =>
      (await scores()).find(([date]) => date === dayAfter(present, days))?.[1]
    expect([await counted(-24), await counted(-23)]).toEqual([60, 50])

    const { organizationId } = organization
    await server.sql("update organization set retention_days = 30 where id = $1", [organizationId])
    await server.sql("delete from event where organization_id = $1 and received_on = $2", [
      organizationId,
      dayAfter(present, -30),
    ])
    await seen(-25, 2)
    await change([
      { path: "/pricing", topicId: 7 },
      { path: "/docs", topicId: 7 },
    ])
    await server.runDue()

    expect([await counted(-24), await counted(-23)]).toEqual([60, 70])
  })

  it("only a day that has not ended is counted again, 15 minutes later", async () => {
    await workedUntil(server, await endedDay(server))
    await change([{ path: "/pricing", topicId: 7 }])
    await server.runDue()

    const left = await server.sql(
      `select date::text, attempt_at > now() + interval '14 minutes' as waits from own_intent_task`,
    )
    expect(left).toEqual([{ date: await today(), waits: true }])
  })

  it("other changes request no recomputation, and neither does deleting the last rule", async () => {
    await workedUntil(server, await endedDay(server))
    await sdk().pixels.update(organization.pixelId, { name: "Site" })
    await change([])
    await server.runDue()

    expect(await tasks()).toEqual([])
  })

  it("a change does not wait for a running count, and its recomputation follows", async () => {
    await workedUntil(server, await endedDay(server))
    const { organizationId } = organization
    const present = await today()
    await server.sql("insert into own_intent_task (organization_id, date) values ($1, $2)", [
      organizationId,
      present,
    ])
    const counting = new pg.Client({ connectionString: server.databaseUrl })
    await counting.connect()
    await counting.query("begin")
    await counting.query("select from own_intent_task for update")

    await change([{ path: "/pricing", topicId: 7 }])
    await server.runDue()
    expect(await tasks()).toHaveLength(1)
    await counting.query("rollback")
    await counting.end()
    await server.runDue()

    expect((await tasks()).map(({ date }) => date)).toEqual([present])
    expect(await server.sql("select from own_intent_request")).toEqual([])
  })
})

describe("several processes", () => {
  it("count each organization and day once between them", async () => {
    const organizations = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const made = await server.makeOrganization()
        await setRules(server, made.pixelId, [{ path: "/wms", topicId: 7 }])
        const visitor = await makePerson(server, made.organizationId)
        await view(server, made.organizationId, [
          {
            person: visitor,
            pixelId: made.pixelId,
            url: "https://a.example/wms",
            at: `${day}T01:00:00Z`,
          },
        ])
        return { ...made, emailHash: visitor.emailHash }
      }),
    )
    await workedUntil(server, dayAfter(day, -1))
    const [before] = await server.sql("select version from data_version where kind = 'signals'")
    const others = [startOwnIntent(server), startOwnIntent(server)]

    await Promise.all([server, ...others].map((process) => process.runDue()))

    for (const { emailHash, organizationId } of organizations) {
      expect(await signalsOf(server, organizationId)).toEqual([
        { date: day, topicId: 7, emailHash, score: 50 },
      ])
    }
    // Each write of a day raises the version once: as many times as there are organizations with rules.
    const [after] = await server.sql("select version from data_version where kind = 'signals'")
    expect(Number(after?.["version"]) - Number(before?.["version"])).toBe(organizations.length + 1)
    expect(await tasks()).toEqual([])
    await Promise.all(others.map((process) => process.close()))
  })
})

describe("a failure", () => {
  it("of one organization is retried in 10 minutes, and does not delay others", async () => {
    const broken = await server.makeOrganization()
    await server.sql(`update pixel set settings = '{"topicRules": [null]}' where id = $1`, [
      broken.pixelId,
    ])
    await workedUntil(server, dayAfter(day, -1))
    await viewOn(0)
    await view(server, broken.organizationId, [
      {
        person: await makePerson(server, broken.organizationId),
        pixelId: broken.pixelId,
        url: "https://tidewater.example/wms",
        at: `${day}T12:00:00Z`,
      },
    ])

    await server.runDue()

    expect(await scores()).toEqual([[day, 50]])
    const [task] = await server.sql(
      `select organization_id, attempt_at > now() + interval '9 minutes' as waits from own_intent_task`,
    )
    expect(task).toEqual({ organization_id: broken.organizationId, waits: true })

    await setRules(server, broken.pixelId, [{ path: "/wms", topicId: 7 }])
    await server.sql("update own_intent_task set attempt_at = now()")
    await server.runDue()
    expect(await tasks()).toEqual([])
  })
})
