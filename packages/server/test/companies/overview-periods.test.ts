// The periods of GET /v1/data/overview (spec 13.3.3, 1.5.10), by a running server.
import type { Overview } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

// An organization pauses after its turn, for long on a busy machine.
vi.setConfig({ testTimeout: 220_000 })

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const dayMs = 86_400_000

const visit = (at: Date | string) =>
  server.sql(
    `insert into session (organization_id, id, pixel_id, anonymous_id, started_at, ended_at,
       pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
       channel, device_type, converted)
     values ($1, $2, $3, $2, $4, $4, 1, 1, 0, 0, '{}', '{}', 'direct', 'desktop', false)`,
    [server.organizationId, randomUUID(), server.pixelId, at],
  )

const setZone = async (timeZone: string) => {
  const { accessToken } = await server.makeUser("admin")
  const answer = await fetch(`${server.url}/v1/organizations/${server.organizationId}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({ timeZone }),
  })
  expect(answer.status).toBe(200)
}

interface Answer {
  readonly data: Overview
  readonly error: { readonly details: { readonly issues: ReadonlyArray<unknown> } }
}

const ask = async (query: string) => {
  const answer = await fetch(`${server.url}/v1/data/overview?${query}`, {
    headers: { "x-api-key": server.apiKey },
  })
  return { status: answer.status, body: (await answer.json()) as Answer }
}

const dateIn = (timeZone: string, back = 0) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(
    Date.now() - back * dayMs,
  )

describe("the overview", () => {
  it("shows days of the organization's time zone, up to today, and follows a change of it", async () => {
    const date = dateIn("UTC", 5)
    const after = dateIn("UTC", 4)
    await visit(`${date}T15:00:00Z`)
    const days = (query = "timeframe=7d") =>
      vi.waitFor(
        async () => {
          const { body } = await ask(query)
          expect(body.data.totals.sessions).toBe(1)
          return body.data
        },
        { timeout: 100_000, interval: 200 },
      )

    const inUtc = await days()
    expect(inUtc.timeZone).toBe("UTC")
    expect(inUtc.days.find((day) => day.date === date)?.sessions).toBe(1)

    await setZone("Pacific/Kiritimati")
    const there = await days()
    expect(there.timeZone).toBe("Pacific/Kiritimati")
    expect(there.days).toHaveLength(7)
    expect(there.days.at(-1)!.date).toBe(dateIn("Pacific/Kiritimati"))
    expect(there.days.find((day) => day.date === after)?.sessions).toBe(1)
    const { days: one } = await days(`from=${after}&to=${after}`)
    expect(one).toMatchObject([{ date: after, sessions: 1 }])
    await setZone("UTC")
  })

  it("shows the last 24 hours by hour at once, and the 24 hours before in previous", async () => {
    await server.sql("delete from session")
    await setZone("Asia/Kolkata")
    const now = Date.now()
    for (const minutes of [1, 90, 23 * 60, 25 * 60, 47 * 60, 49 * 60]) {
      await visit(new Date(now - minutes * 60_000))
    }

    const { body } = await ask("timeframe=24h&compare=previous")

    const { comparison, days, hours, previous, totals } = body.data
    expect([days, totals.sessions, previous.sessions]).toEqual([[], 3, 2])
    expect([comparison?.days, comparison?.totals.sessions]).toEqual([[], 2])
    for (const all of [hours, comparison!.hours]) {
      expect(all.length).toBeGreaterThanOrEqual(24)
      // Clocks of India show full hours at half past.
      for (const { startsAt } of all) expect(startsAt).toMatch(/:30:00\.000Z$/)
    }
    const sum = (all: ReadonlyArray<{ sessions: number }>) =>
      all.reduce((total, { sessions }) => total + sessions, 0)
    expect([sum(hours), sum(comparison!.hours)]).toEqual([3, 2])
    const latest = hours.findLast(({ sessions }) => sessions > 0)
    expect(now - 60_000 - Date.parse(latest!.startsAt)).toBeLessThan(3_600_000)
    await setZone("UTC")
  })

  it("compares with the period right before and with the same dates a year before, day by day", async () => {
    await server.sql("delete from session")
    const [from, to] = [dateIn("UTC", 9), dateIn("UTC", 5)]
    const yearBefore = (date: string) =>
      date.replace(/^\d+/, (year) => String(Number(year) - 1)).replace("02-29", "02-28")
    await visit(`${from}T10:00:00Z`)
    await visit(`${dateIn("UTC", 10)}T10:00:00Z`)
    await visit(`${dateIn("UTC", 14)}T10:00:00Z`)
    await visit(`${yearBefore(to)}T10:00:00Z`)

    await vi.waitFor(
      async () => {
        const before = (await ask(`from=${from}&to=${to}&compare=previous`)).body.data
        expect(before.totals.sessions).toBe(1)
        expect(before.previous.sessions).toBe(2)
        expect(before.comparison!.totals).toEqual(before.previous)
        expect(before.comparison!.days.map((day) => day.date)).toEqual(
          [14, 13, 12, 11, 10].map((back) => dateIn("UTC", back)),
        )
        const year = (await ask(`from=${from}&to=${to}&compare=year`)).body.data
        expect(year.previous.sessions).toBe(2)
        expect(year.comparison!.totals.sessions).toBe(1)
        expect(year.comparison!.days[0]!.date).toBe(yearBefore(from))
        expect(year.comparison!.days.at(-1)).toMatchObject({ date: yearBefore(to), sessions: 1 })
      },
      { timeout: 100_000, interval: 300 },
    )
    expect((await ask(`from=${from}`)).body.data.comparison).toBeNull()
  })

  it("counts a person once in a year, however long ago they came before", async () => {
    await server.sql("delete from session")
    const id = randomUUID()
    await server.sql(
      `insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at)
       values ($1, $2, repeat('a', 64), now(), now())`,
      [server.organizationId, id],
    )
    for (const back of [300, 150, 2]) await visit(`${dateIn("UTC", back)}T10:00:00Z`)
    await server.sql("update session set visitor_id = $1", [id])

    await vi.waitFor(
      async () => {
        const { body } = await ask(`from=${dateIn("UTC", 364)}`)
        expect(body.data.days).toHaveLength(365)
        expect(body.data.totals).toMatchObject({ sessions: 3, people: 1, newPeople: 1 })
      },
      { timeout: 100_000, interval: 300 },
    )
  })

  it.each([
    ["timeframe=all", "/query/timeframe", "enum"],
    ["compare=month", "/query/compare", "enum"],
    [`to=${dateIn("UTC")}`, "/query/from", "required"],
    [`from=${dateIn("UTC")}&timeframe=7d`, "/query/from", "mutually_exclusive"],
    [`from=${dateIn("UTC", 3)}&to=${dateIn("UTC", 4)}`, "/query/from", "max"],
    [`from=${dateIn("UTC", 367)}`, "/query/from", "min"],
    [`from=${dateIn("UTC", 300)}&to=${dateIn("UTC", -100)}`, "/query/from", "min"],
    [`from=${dateIn("UTC", -3)}`, "/query/from", "max"],
    ["from=0001-01-01&to=9999-12-31", "/query/from", "format"],
    ["from=2026-02-30", "/query/from", "format"],
  ])("refuses %s", async (query, path, code) => {
    const { body, status } = await ask(query)

    expect(status).toBe(400)
    expect(body.error.details.issues).toMatchObject([
      { path, code, message: expect.stringMatching(/^(Expected .*, received .*|Cannot be .*)\.$/) },
    ])
  })
})
