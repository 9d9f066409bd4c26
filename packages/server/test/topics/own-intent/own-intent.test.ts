// Signals from the topic rules of pixels (spec 2.18): who gets which score for which topic, and on which day.
import { Footfall } from "@footfall/sdk"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { advisoryLocks } from "../../../src/platform/database/advisory-locks.ts"
import type { TestOrganization } from "../../support/server.ts"
import { putTopics, topic } from "../topics.ts"
import {
  dayAfter,
  endedDay,
  makePerson,
  type OwnIntentServer,
  type PageView,
  type Person,
  setRules,
  signalsOf,
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
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
  day = await endedDay(server)
  person = await makePerson(server, organization.organizationId)
  await workedUntil(server, dayAfter(day, -1))
})

const site = "https://tidewater.example"
const seen = (path: string, change: Partial<PageView> = {}): PageView => ({
  person,
  pixelId: organization.pixelId,
  url: site + path,
  at: `${day}T12:00:00Z`,
  ...change,
})
const times = (count: number, one: PageView) => Array.from({ length: count }, () => one)
const views = (...all: ReadonlyArray<PageView>) => view(server, organization.organizationId, all)
const rules = (...all: Parameters<typeof setRules>[2]) =>
  setRules(server, organization.pixelId, all)

/** Topics and scores of this person only. */
const counted = async () => {
  await server.runDue()
  const signals = await signalsOf(server, organization.organizationId)
  for (const signal of signals) {
    expect(signal).toMatchObject({ date: day, emailHash: person.emailHash })
  }
  return signals.map(({ score, topicId }) => [topicId, score])
}

describe("the score is min(100, 40 + 10 for each page view)", () => {
  it.each([
    [1, 50],
    [2, 60],
    [5, 90],
    [6, 100],
    [7, 100],
    [40, 100],
  ])("%i: %i", async (count, score) => {
    await rules({ path: "/wms", topicId: 7 })
    await views(...times(count, seen("/wms")))

    expect(await counted()).toEqual([[7, score]])
  })

  it("without page views there is no signal, and a day without signals has no data", async () => {
    await rules({ path: "/wms", topicId: 7 })
    await views(seen("/tms"))

    expect(await counted()).toEqual([])
    expect(
      await server.sql("select 1 from signal_date where organization_id = $1", [
        organization.organizationId,
      ]),
    ).toEqual([])
  })
})

describe("the window: 7 days up to the day that ended", () => {
  it.each([
    ["its first millisecond", -6, "00:00:00.000", true],
    ["the millisecond before", -7, "23:59:59.999", false],
    ["the last millisecond of the day", 0, "23:59:59.999", true],
    ["the millisecond after", 1, "00:00:00.000", false],
  ])("%s", async (_, days, time, counts) => {
    await rules({ path: "/wms", topicId: 7 })
    await views(seen("/wms", { at: `${dayAfter(day, days)}T${time}Z` }))

    expect(await counted()).toEqual(counts ? [[7, 50]] : [])
  })

  it("is based on when a page was seen, not on when the event arrived", async () => {
    await rules({ path: "/wms", topicId: 7 })
    const late = (at: number, received: number) =>
      seen("/wms", {
        at: `${dayAfter(day, at)}T23:59:00Z`,
        receivedAt: `${dayAfter(day, received)}T00:10:00Z`,
      })
    await views(late(0, 1), late(-7, -6))

    expect(await counted()).toEqual([[7, 50]])
  })
})

describe("paths match like the filters of pixels (spec 6.4)", () => {
  it.each([
    ["/blog", "/blog", true],
    ["/blog", "/blog/x", true],
    ["/blog", "/blog/", true],
    ["/blog/", "/blog", true],
    ["/blog", "/blogger", false],
    ["/blog", "/Blog", true],
    ["/blog", "/", false],
    ["/app/*/settings", "/app/7/settings/x", true],
    ["/app/*/settings", "/app/settings", false],
    ["/$", "/", true],
    ["/$", "/blog", false],
    ["/größe", "/gr%C3%B6%C3%9Fe", true],
  ])("%s and %s: %s", async (path, seenPath, matches) => {
    await rules({ path, topicId: 7 })
    await views(seen(seenPath))

    expect(await counted()).toEqual(matches ? [[7, 50]] : [])
  })
})

describe("several rules", () => {
  it("for one topic: the highest score counts, not the sum", async () => {
    await rules({ path: "/wms", topicId: 7 }, { path: "/docks", topicId: 7 })
    await views(...times(3, seen("/wms")), ...times(2, seen("/docks")))

    expect(await counted()).toEqual([[7, 70]])
  })

  it("from several pixels for one topic: the highest score counts too", async () => {
    const sdk = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
    const { id: other } = await sdk.pixels.create({ domain: "harbor.example" })
    await rules({ path: "/wms", topicId: 7 })
    await setRules(server, other, [
      { path: "/$", topicId: 7 },
      { path: "/wms", topicId: 8 },
    ])
    await views(
      ...times(2, seen("/wms")),
      ...times(4, seen("/wms", { pixelId: other, url: "https://harbor.example/wms" })),
    )

    expect(await counted()).toEqual([
      [7, 60],
      [8, 80],
    ])
  })

  it("that match one page give a signal for each topic", async () => {
    await rules({ path: "/wms", topicId: 7 }, { path: "/wms/docks", topicId: 8 })
    await views(seen("/wms/docks"))

    expect(await counted()).toEqual([
      [7, 50],
      [8, 50],
    ])
  })
})

describe("exclusions", () => {
  beforeEach(() => rules({ path: "/wms", topicId: 7 }))

  it("suppressed people, people held back, and browsers in which no one was identified", async () => {
    const { organizationId } = organization
    const suppressed = await makePerson(server, organizationId, { suppressed: true })
    const heldBack = await makePerson(server, organizationId, { heldBack: true })
    await views(
      seen("/wms"),
      seen("/wms", { person: suppressed }),
      seen("/wms", { person: heldBack }),
      seen("/wms", { person: null }),
    )

    expect(await counted()).toEqual([[7, 50]])
  })

  it("browsers in which no one was identified, no matter how many addresses a stranger sends", async () => {
    await rules({ path: "/", topicId: 7 })
    await views(seen("/wms"), seen("/x", { person: null }))
    // Together more than one JSON text or the memory of a small process can contain.
    await server.sql(
      `insert into event (organization_id, received_on, pixel_id, id, received_at, anonymous_id,
         session_id, type, occurred_at, url, payload)
       select e.organization_id, e.received_on, e.pixel_id, gen_random_uuid(), e.received_at,
         e.anonymous_id, e.session_id, e.type, e.occurred_at, e.url || repeat('x', 20000) || n, '{}'
       from event e, generate_series(1, 14000) as n
       where e.organization_id = $1 and e.url like '%/x'`,
      [organization.organizationId],
    )

    expect(await counted()).toEqual([[7, 50]])
  })

  it("but no page view of a person who saw thousands of addresses", async () => {
    await rules({ path: "/wms/*", topicId: 7 }, { path: "/*/3", topicId: 8 })
    const many = Array.from({ length: 4_500 }, (_, n) => seen(`/other/${n}`))
    await views(...many, seen("/wms/1"), seen("/wms/2"), seen("/wms/2"), seen("/wms/3"))

    expect(await counted()).toEqual([
      [7, 80],
      [8, 60],
    ])
  })

  it("erased people, even if erased between counting and writing", async () => {
    const sdk = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
    const erased = await makePerson(server, organization.organizationId)
    await views(seen("/wms"), seen("/wms", { person: erased }))
    await sdk.visitors.erase(erased.emailHash)
    // The transaction sees the person like this if it started before the erasure.
    await server.sql(
      `insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at)
       values ($1, $2, $3, now(), now())`,
      [erased.organizationId, erased.visitorId, erased.emailHash],
    )
    await views(seen("/wms", { person: erased }))

    expect(await counted()).toEqual([[7, 50]])
  })

  it("events that are not page views", async () => {
    await views(
      ...["identify", "capture", "track", "heartbeat"].map((type) => seen("/wms", { type })),
    )

    expect(await counted()).toEqual([])
  })

  it("page views of a deleted pixel", async () => {
    await views(seen("/wms"))
    await server.sql("update pixel set deleted_at = now() where id = $1", [organization.pixelId])

    expect(await counted()).toEqual([])
  })

  it("page views of another organization's people", async () => {
    const other = await server.makeOrganization()
    await setRules(server, other.pixelId, [{ path: "/wms", topicId: 7 }])
    await views(seen("/wms"))
    await server.runDue()

    expect(await signalsOf(server, other.organizationId)).toEqual([])
  })
})

it("signals of pixels are private and not part of the public figures", async () => {
  await rules({ path: "/wms", topicId: 7 })
  await views(seen("/wms"))
  await counted()

  expect(await server.sql("select 1 from topic_day")).toEqual([])
  expect(
    await server.sql(
      "select distinct organization_id from signal where topic_id = 7 and date = $1 and organization_id = $2",
      [day, organization.organizationId],
    ),
  ).toEqual([{ organization_id: organization.organizationId }])
})

it("rules can only name topics of the catalog: unknown ids get a 400 (spec 5.2)", async () => {
  await putTopics(server, [topic(7, "Warehouse Management Software")])
  const sdk = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
  const topicRules = (...topicIds: ReadonlyArray<number>) => ({
    settings: { topicRules: topicIds.map((topicId) => ({ path: "/wms", topicId })) },
  })

  expect(await sdk.pixels.update(organization.pixelId, topicRules(7))).toMatchObject(topicRules(7))
  await expect(
    sdk.pixels.update(organization.pixelId, topicRules(7, 70, 71, 70)),
  ).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: {
      unknownTopicIds: [70, 71],
      issues: [1, 2, 3].map((place) => ({
        path: `/body/settings/topicRules/${place}/topicId`,
        code: "unknown_topic",
      })),
    },
  })
  expect(await sdk.pixels.get(organization.pixelId)).toMatchObject(topicRules(7))
})

describe("the turn of the organization", () => {
  it("is not needed: a day is counted while another writer holds it", async () => {
    await rules({ path: "/wms", topicId: 7 })
    await views(seen("/wms"))
    const other = new pg.Client({ connectionString: server.databaseUrl })
    await other.connect()
    await other.query("begin")
    await other.query("select pg_advisory_xact_lock($1, hashtext($2))", [
      advisoryLocks.organizationTurn,
      organization.organizationId,
    ])

    const signals = await counted()

    expect(signals).toEqual([[7, 50]])
    await other.end()
  })
})
