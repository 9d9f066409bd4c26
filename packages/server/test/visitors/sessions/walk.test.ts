// Reading a person's sessions by cursor: every session that existed at the first page appears once, whatever
// happens meanwhile (spec 1.6). FOOTFALL_SOAK=1 for 100,000 sessions.
import { BadRequestError } from "@footfall/sdk"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rotateDataKeys } from "../../support/data-keys.ts"
import { isSoak } from "../../soak/size.ts"
import { startServer, testSecret, type TestServer } from "../../support/server.ts"
import { type Person, putPerson, putPixel, putSessions } from "./person.ts"

const hour = 3_600_000
const countWalked = isSoak ? 100_000 : 20_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
let server: TestServer
let otherPixelId: string

beforeAll(async () => {
  server = await startServer()
  otherPixelId = await putPixel(server, server, "other.example")
})

afterAll(() => server.close())

type Params = Parameters<TestServer["sdk"]["visitors"]["sessions"]>[1]
const page = ({ visitorId }: Person, params: Params = {}, of = server) =>
  of.sdk.visitors.sessions(visitorId, { timeframe: "30d", ...params })

/** Creates a person with this many sessions of an hour ago, on two pixels. */
const withSessions = async (count: number): Promise<Person> => {
  const person = await putPerson(server, server)
  const startedAt = ago(hour)
  const half = Math.ceil(count / 2)
  await putSessions(server, server, { person, startedAt, count: half })
  await putSessions(server, server, {
    person,
    startedAt,
    count: count - half,
    pageviewsFrom: half + 1,
    pixelId: otherPixelId,
  })
  return person
}

describe("reading all pages", () => {
  it(
    `of ${countWalked} sessions with the same time, while others are added and deleted, repeats and skips nothing (J3)`,
    { timeout: 300_000 },
    async () => {
      const count = countWalked
      const person = await withSessions(count)
      await server.sql("vacuum analyze session")
      // Their page views are their numbers, in the order of the list.
      const expected = await server.sql(
        `select pageviews from session where visitor_id = $1
         order by started_at desc, pixel_id::text collate "C" desc, id::text collate "C" desc`,
        [person.id],
      )
      const startedAt = String(
        (await server.sql("select started_at::text as at from session limit 1"))[0]?.["at"],
      )
      const given: Array<{ readonly sessionId: string; readonly pageviews: number }> = []
      const origins = new Set<string>()
      const walked = new AbortController()

      const disturb = async () => {
        for (let pageviewsFrom = 1_000_001; !walked.signal.aborted; pageviewsFrom += 1_000) {
          const more = { person, count: 100, pageviewsFrom }
          // At the same time as the first page, earlier, and later.
          await putSessions(server, server, { ...more, startedAt })
          await putSessions(server, server, { ...more, startedAt: ago(2 * hour) })
          await putSessions(server, server, { ...more, startedAt: ago(-hour) })
          await server.sql(
            "delete from session where visitor_id = $1 and pageviews between $2 and $3",
            [person.id, pageviewsFrom, pageviewsFrom + 49],
          )
          // Sessions continue: their ends move, their positions do not.
          await server.sql(
            `update session set ended_at = now(), unique_pages = unique_pages + 1
             where visitor_id = $1 and pageviews % 1000 = $2`,
            [person.id, (pageviewsFrom / 1_000) | 0],
          )
        }
      }
      const walk = async () => {
        let cursor: string | undefined
        do {
          const { data, meta } = await page(person, { limit: 100, cursor })
          given.push(...data)
          origins.add(meta.asOf)
          cursor = meta.nextCursor ?? undefined
        } while (cursor !== undefined)
        walked.abort()
      }
      await Promise.all([walk(), disturb()])

      expect(new Set(given.map(({ sessionId }) => sessionId)).size).toBe(given.length)
      expect(
        given.map(({ pageviews }) => pageviews).filter((pageviews) => pageviews <= count),
      ).toEqual(expected.map(({ pageviews }) => pageviews))
      expect(given.length).toBeGreaterThan(count)
      expect(origins.size).toBe(1)
    },
  )

  it("returns no session that began after the first page", async () => {
    const person = await withSessions(2)
    // As seen by another server whose clock is ahead.
    await putSessions(server, server, { person, startedAt: ago(-hour), pageviewsFrom: 8 })
    const first = await page(person, { limit: 1 })
    await putSessions(server, server, { person, startedAt: ago(0), pageviewsFrom: 9 })

    const second = await page(person, { limit: 10, cursor: first.meta.nextCursor ?? "" })
    const again = await page(person)

    expect(second.meta.asOf).toBe(first.meta.asOf)
    expect([...first.data, ...second.data].map(({ pageviews }) => pageviews).toSorted()).toEqual([
      1, 2,
    ])
    expect(again.data.map(({ pageviews }) => pageviews)).toContain(9)
  })

  it("keeps its window: a session in it on the first page is in it on the last", async () => {
    const person = await putPerson(server, server)
    await putSessions(server, server, { person, startedAt: ago(hour) })
    const edge = ago(24 * hour - 4_000)
    await putSessions(server, server, { person, startedAt: edge, pageviewsFrom: 7 })
    const first = await page(person, { timeframe: "24h", limit: 1 })
    // Resolves once the session is outside a window that ends now.
    await expect
      .poll(async () => (await page(person, { timeframe: "24h" })).data.length, { timeout: 30_000 })
      .toBe(1)

    const second = await page(person, {
      timeframe: "24h",
      limit: 1,
      cursor: first.meta.nextCursor ?? "",
    })

    expect(second.data.map(({ pageviews }) => pageviews)).toEqual([7])
  })

  it("returns a session that began before the window and reached into it, up to a week before", async () => {
    const person = await putPerson(server, server)
    const endedAt = ago(23 * hour)
    const week = 7 * 24 * hour
    for (const [index, before] of [hour, week - hour, week + hour].entries()) {
      const startedAt = ago(24 * hour + before)
      await putSessions(server, server, { person, startedAt, endedAt, pageviewsFrom: index })
    }
    await putSessions(server, server, {
      person,
      startedAt: ago(26 * hour),
      endedAt: ago(25 * hour),
      pageviewsFrom: 9,
    })

    const found = await page(person, { timeframe: "24h" })

    expect(found.data.map(({ pageviews }) => pageviews)).toEqual([0, 1])
  })

  it("allows the page size to change", async () => {
    const person = await withSessions(20)
    const whole = await page(person)

    const sizes = [1, 7, 3, 100]
    const given: Array<string> = []
    let cursor: string | undefined
    for (const limit of sizes) {
      const { data, meta } = await page(person, { limit, cursor })
      given.push(...data.map(({ sessionId }) => sessionId))
      cursor = meta.nextCursor ?? undefined
    }

    expect(given).toEqual(whole.data.map(({ sessionId }) => sessionId))
  })
})

describe("a cursor", () => {
  /** The reason for a refused page, or "accepted". */
  const reason = async (asked: PromiseLike<unknown>): Promise<string> => {
    try {
      await asked
      return "accepted"
    } catch (error) {
      if (!(error instanceof BadRequestError) || error.code !== "INVALID_CURSOR") throw error
      return (error.details as { reason: string }).reason // of every INVALID_CURSOR
    }
  }

  it("with one character changed, cut or of another kind gets a 400 INVALID_CURSOR (J1)", async () => {
    const person = await withSessions(3)
    const cursor = (await page(person, { limit: 1 })).meta.nextCursor ?? ""
    // session-cursor.test.ts flips every bit; here one bit of each character.
    const changed = Array.from(
      cursor,
      (_, place) =>
        cursor.slice(0, place) +
        String.fromCharCode(cursor.charCodeAt(place) ^ (1 << (place % 7))) +
        cursor.slice(place + 1),
    )

    for (const text of [
      ...changed,
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      cursor.split(".")[0]!,
      "x".repeat(10_000),
      "%",
      " ",
    ]) {
      expect(await reason(page(person, { cursor: text })), text).toMatch(/^(malformed|signature)$/)
    }
    const empty = await server.get(`/v1/data/visitors/${person.visitorId}/sessions?cursor=`)
    expect([
      empty.status,
      ((await empty.json()) as { error: { code: string } }).error.code,
    ]).toEqual([400, "INVALID_CURSOR"])
  })

  it("is bound to organization, visitor, window and pixel scope, not to the page size", async () => {
    const person = await withSessions(3)
    const another = await withSessions(3)
    const stranger = await server.makeOrganization()
    const whole = { cursor: (await page(person, { limit: 1 })).meta.nextCursor ?? "" }
    const onPixel = { pixelId: server.pixelId, limit: 1 }
    const ofPixel = { cursor: (await page(person, onPixel)).meta.nextCursor ?? "" }

    expect(await reason(page(person, { ...whole, timeframe: "7d" }))).toBe("scope")
    expect(await reason(page(person, { ...whole, pixelId: server.pixelId }))).toBe("scope")
    expect(await reason(page(person, ofPixel))).toBe("scope")
    expect(await reason(page(person, { ...ofPixel, pixelId: otherPixelId }))).toBe("scope")
    expect(await reason(page(another, whole))).toBe("scope")
    const theirs = await fetch(
      `${server.url}/v1/data/visitors/${person.visitorId}/sessions?cursor=${whole.cursor}`,
      { headers: { "x-api-key": stranger.apiKey } },
    )
    expect([theirs.status, await theirs.json()]).toMatchObject([
      400,
      { error: { code: "INVALID_CURSOR", details: { reason: "scope" } } },
    ])
    expect(await reason(page(person, { ...whole, limit: 3 }))).toBe("accepted")
    expect(await reason(page(person, { ...ofPixel, ...onPixel }))).toBe("accepted")
  })

  it("is rejected by the visitor list: its signature is valid, but its scope differs", async () => {
    const person = await withSessions(3)
    const cursor = (await page(person, { limit: 1 })).meta.nextCursor ?? ""

    expect(await reason(server.sdk.visitors.list({ cursor }))).toBe("scope")
  })

  it("signed with the older secret works until that secret is retired (J2)", async () => {
    const person = await withSessions(3)
    const cursor = (await page(person, { limit: 1 })).meta.nextCursor ?? ""
    const newer = "the newer secret of the tests: none either"
    const rotating = await startServer({ beside: server, secret: `${newer},${testSecret}` })
    await rotateDataKeys(server.sql, { from: testSecret, to: newer })
    const retired = await startServer({ beside: server, secret: newer })
    await rotateDataKeys(server.sql, { from: newer, to: testSecret })

    const second = await page(person, { limit: 1, cursor }, rotating)
    const fresh = second.meta.nextCursor ?? ""

    expect(second.data).toHaveLength(1)
    expect(await reason(page(person, { cursor }, retired))).toBe("signature")
    expect(await reason(page(person, { cursor: fresh }, retired))).toBe("accepted")
    expect(await reason(page(person, { cursor: fresh }))).toBe("signature")
    await rotating.close()
    await retired.close()
  })
})
