// `footfall visitors session` and `footfall companies session`: which session, and how its events are printed.

import type { SessionEvent } from "@footfall/sdk"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { eventColumns } from "../src/visitors/session.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey, jane, session } from "./fixtures/records.ts"

const noCampaign = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
}
const home: SessionEvent = {
  id: "0f3c8a52-6d1e-4b97-8c40-5a2e9f7d1b36",
  type: "page",
  at: "2026-03-11T08:41:02.000Z",
  path: "/",
  keyPage: null,
  title: "Tidewater: plan your docks",
  name: null,
  props: null,
  secondsVisible: 21,
  referrerDomain: "search.example",
  ...noCampaign,
  utmSource: "newsletter",
  utmCampaign: "spring-launch",
}
const pricing: SessionEvent = {
  ...home,
  ...noCampaign,
  at: "2026-03-11T08:41:23.400Z",
  path: "/preise/%C3%BCbersicht",
  keyPage: null,
  title: "Preise – Übersicht",
  secondsVisible: 90,
  referrerDomain: null,
}
const chosen: SessionEvent = {
  ...pricing,
  type: "custom",
  at: "2026-03-12T00:10:10.500Z",
  title: null,
  name: "Plan selected",
  props: { plan: "team", seats: 12 },
  secondsVisible: null,
}
const meta = { limit: 100, hasMore: false, nextCursor: null }

const { emailHash } = jane
const sessions = `GET /v1/data/visitors/${emailHash}/sessions`
const events = `${sessions}/${session.sessionId}/events`
const older = "13f276ea9372949da0cf3b0563eeee13"

let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey, TZ: "UTC" }
  api.on(sessions, () => ({
    data: [session, { ...session, sessionId: older }],
    meta: { asOf: home.at, ...meta },
  }))
  api.on(events, () => ({ data: [home, pricing, chosen], meta }))
})
afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) => footfall(words, { environment })

describe("which session", () => {
  test.each([[], ["latest"]])(
    "the latest one without an id, or as `latest`: %j",
    async (...words) => {
      const { stdout } = await run("visitors", "session", emailHash!, ...words)

      expect(JSON.parse(stdout).data).toEqual([home, pricing, chosen])
      expect(api.seen(sessions).map(({ url }) => url.search)).toEqual(["?timeframe=all&limit=1"])
    },
  )

  test("the one whose id begins with what lists of sessions show", async () => {
    const route = `${sessions}/${older}/events`
    api.on(route, () => ({ data: [home], meta }))

    const { stdout } = await run("visitors", "session", emailHash!, older.slice(0, 8))

    expect(JSON.parse(stdout).data).toEqual([home])
  })

  test("a whole id, without asking for the list", async () => {
    await run("visitors", "session", emailHash!, session.sessionId.toUpperCase())

    expect(api.requests).toHaveLength(1)
  })

  test("an unknown one and none at all exit with 5", async () => {
    const unknown = await run("visitors", "session", emailHash!, "ffffffff")
    api.on(sessions, () => ({ data: [], meta: { asOf: home.at, ...meta } }))
    const none = await run("visitors", "session", emailHash!)

    expect([unknown.exitCode, none.exitCode]).toEqual([5, 5])
    expect(unknown.stderr).toContain("No session begins with ffffffff.")
    expect(none.stderr).toContain("There are no sessions.")
  })

  test.each(["3f", "newest", "44b6a991-119b"])("%s is refused before a request", async (text) => {
    const { exitCode, stderr } = await run("visitors", "session", emailHash!, text)

    expect([exitCode, api.requests.length]).toEqual([2, 0])
    expect(stderr).toContain("Expected the id of a session, or `latest`.")
  })

  test("of a company, the latest of its journey", async () => {
    const journey = { firstTouch: null, lastTouch: null, sessions: [session] }
    api.on("GET /v1/data/companies/harbor.example", () => ({ data: { journey, people: [] } }))
    const route = `GET /v1/data/companies/harbor.example/sessions/${session.sessionId}/events`
    api.on(route, () => ({ data: [home], meta }))

    const { stdout } = await run("companies", "session", "harbor.example")

    expect(JSON.parse(stdout).data).toEqual([home])
  })
})

describe("how it is printed", () => {
  test("on a terminal of 80 columns: when, where from, the pages with titles and times", async () => {
    const { stdout } = await run("visitors", "session", emailHash!, "--output", "table")

    expect(stdout).toBe(
      [
        "2026-03-11 08:41  newsletter / spring-launch",
        "",
        "Time                 Page               Title                       Visible",
        "───────────────────  ─────────────────  ──────────────────────────  ───────",
        "08:41:02             /                  Tidewater: plan your docks      21s",
        "08:41:23             /preise/übersicht  Preise – Übersicht           1m 30s",
        "2026-03-12 00:10:10  ◆ Plan selected    plan=team seats=12",
        "",
        "2 pages · 1 custom event · 1m 51s visible",
        "",
      ].join("\n"),
    )
  })

  test("says how to see more, and that there is nothing", async () => {
    api.on(events, () => ({ data: [home], meta: { ...meta, hasMore: true, nextCursor: "c" } }))
    const some = await run("visitors", "session", emailHash!, "--output", "table")
    api.on(events, () => ({ data: [], meta }))
    const none = await run("visitors", "session", emailHash!, "--output", "table")

    expect(some.stdout).toContain("1 page · 21s visible · more: --limit, or --all")
    expect(none.stdout).toBe("This session has no page views and no custom events.\n")
  })

  test("as CSV with every field", async () => {
    const { stdout } = await run("visitors", "session", emailHash!, "--output", "csv")

    expect(eventColumns).toEqual(Object.keys(home))
    expect(stdout.split("\r\n")[0]?.split(",")).toEqual(Object.keys(home))
  })

  test("--all asks for the largest pages", async () => {
    await run("visitors", "session", emailHash!, session.sessionId, "--all")

    expect(api.seen(events).map(({ url }) => url.search)).toEqual(["?limit=500"])
  })

  test("signs of control in a title or a path do not reach the terminal", async () => {
    const evil = "\u001B[2J\u202Eevil"
    api.on(events, () => ({ data: [{ ...home, title: evil, path: `/${evil}` }], meta }))

    const { stdout } = await run("visitors", "session", emailHash!, "--output", "table")

    expect(stdout).toContain("evil")
    expect(["\u001B", "\u202E"].filter((sign) => stdout.includes(sign))).toEqual([])
  })
})
