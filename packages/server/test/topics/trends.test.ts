// Trend, comparison and movers (spec 2.18, 5.7) with figures for long-past dates: nothing depends on today, because
// the newest date is that of the data.
import fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { askPublic, putDays, putTopics, topic, type TopicDayRow } from "./topics.ts"

let server: TestServer
let ask: ReturnType<typeof askPublic>
beforeAll(async () => {
  server = await startServer({ workers: false })
  ask = askPublic(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.sql("delete from topic")
  await server.sql("delete from topic_day")
  await putTopics(server, [
    topic(1, "Freight", { type: "both", industry: "Logistics", category: "Software" }),
    topic(2, "Rail"),
    topic(3, "Solar", { type: "b2c", industry: "energy" }),
  ])
})

const trend = async (at: string) => {
  const { body, status } = await ask(`/v1/intent/topics/${at}`)
  return { status, ...body }
}
const dates = ({ data }: { readonly data: ReadonlyArray<{ readonly date: string }> }) =>
  data.map(({ date }) => date)
const compare = async (body: unknown) => {
  const answer = await ask("/v1/intent/topics/compare", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  return { status: answer.status, ...answer.body }
}
const movers = async (query = "") => {
  const { body, status } = await ask(`/v1/intent/topics/movers?${query}`)
  return { status, ...body }
}
const issue = (path: string, code: string) => ({
  status: 400,
  error: { code: "VALIDATION_ERROR", details: { issues: [{ path, code }] } },
})

describe("GET /v1/intent/topics/{topicId}/trend", () => {
  it("returns the points of spec 2.18, ascending, without dates that have no data", async () => {
    await putDays(server, [
      { topicId: 1, date: "2024-03-03", audience: 3, scoreSum: 200, high: 1, medium: 1 },
      { topicId: 1, date: "2024-03-01", audience: 8, scoreSum: 501, high: 2, medium: 5 },
      { topicId: 2, date: "2024-03-02", audience: 1 },
    ])

    const { data, status } = await trend("1/trend")

    expect(status).toBe(200)
    const texts = {
      topicName: "Freight",
      type: "both",
      industry: "Logistics",
      category: "Software",
    }
    expect(data).toEqual([
      {
        date: "2024-03-01",
        ...texts,
        uniqueAudience: 8,
        totalSignals: 8,
        avgScore: 62.63, // 62.625, rounded away from zero
        highAudience: 2,
        mediumAudience: 5,
        lowAudience: 1,
      },
      {
        date: "2024-03-03",
        ...texts,
        uniqueAudience: 3,
        totalSignals: 3,
        avgScore: 66.67,
        highAudience: 1,
        mediumAudience: 1,
        lowAudience: 1,
      },
    ])
  })

  it("covers the 30 days up to the newest date of all topics by default", async () => {
    await putDays(server, [
      { topicId: 1, date: "2024-01-31", audience: 1 },
      { topicId: 1, date: "2024-02-01", audience: 1 },
      { topicId: 1, date: "2024-02-29", audience: 1 },
      { topicId: 2, date: "2024-03-01", audience: 1 },
    ])

    expect(dates(await trend("1/trend"))).toEqual(["2024-02-01", "2024-02-29"])
    expect(dates(await trend("1/trend?to=2024-02-28"))).toEqual(["2024-01-31", "2024-02-01"])
    expect(dates(await trend("1/trend?from=2024-02-02"))).toEqual(["2024-02-29"])
    expect(dates(await trend("1/trend?from=2024-01-31&to=2024-02-01"))).toEqual([
      "2024-01-31",
      "2024-02-01",
    ])
  })

  it("is empty for a topic without an audience, and without any figures", async () => {
    expect(await trend("3/trend")).toMatchObject({ status: 200, data: [] })
    await putDays(server, [{ topicId: 1, date: "2024-02-01", audience: 1 }])
    expect(await trend("3/trend")).toMatchObject({ status: 200, data: [] })
    expect(await trend("1/trend?from=2030-01-01")).toMatchObject({ status: 200, data: [] })
  })

  it("returns 404 for an unknown topic", async () => {
    for (const id of ["9", "0", "-1", "99999999999"]) {
      expect(await trend(`${id}/trend`)).toMatchObject({
        status: 404,
        error: { code: "NOT_FOUND" },
      })
    }
  })

  it.each(["one", "1.5", "1e400", "%20"])("returns 400 for the id %s", async (id) => {
    expect(await trend(`${id}/trend`)).toMatchObject({
      status: 400,
      error: { details: { issues: [{ path: "/path/topicId" }] } },
    })
  })

  it("has at most 365 days from the first to the last: 366 get a 400", async () => {
    const [from, to] = ["2023-03-02", "2024-02-29"]
    await putDays(server, [
      { topicId: 1, date: from, audience: 1 },
      { topicId: 1, date: to, audience: 1 },
    ])

    expect(dates(await trend(`1/trend?from=${from}&to=${to}`))).toEqual([from, to])
    expect(await trend(`1/trend?from=2023-03-01&to=${to}`)).toMatchObject(
      issue("/query/from", "min"),
    )
    expect(await trend("1/trend?from=2023-03-01")).toMatchObject(issue("/query/from", "min"))
  })

  it("rejects a first date after the last", async () => {
    expect(await trend("1/trend?from=2024-02-02&to=2024-02-01")).toMatchObject(
      issue("/query/from", "max"),
    )
  })

  it.each(["2024-02-30", "2024-2-1", "yesterday", "", "2024-02-01T00:00:00Z", "0000-01-01"])(
    "rejects %s as a date",
    async (date) => {
      expect(await trend(`1/trend?from=${date}`)).toMatchObject(issue("/query/from", "format"))
      expect(await trend(`1/trend?to=${date}`)).toMatchObject(issue("/query/to", "format"))
    },
  )

  it("checks the dates before looking for the topic", async () => {
    expect((await trend("9/trend?from=2024-02-02&to=2024-02-01")).status).toBe(400)
  })
})

describe("POST /v1/intent/topics/compare", () => {
  it("returns the last 30 days of each topic in the requested order, without unknown ids", async () => {
    await putDays(server, [
      { topicId: 1, date: "2024-01-31", audience: 9 },
      { topicId: 1, date: "2024-02-01", audience: 4, scoreSum: 321, high: 1, medium: 2 },
      { topicId: 2, date: "2024-03-01", audience: 2, scoreSum: 100 },
    ])

    const { data, status } = await compare({ topicIds: [3, 99, 2, 1, 2, -5, 99999999999] })

    expect(status).toBe(200)
    expect(data).toEqual([
      { topicId: 3, topicName: "Solar", data: [] },
      {
        topicId: 2,
        topicName: "Rail",
        data: [
          {
            date: "2024-03-01",
            uniqueAudience: 2,
            totalSignals: 2,
            avgScore: 50,
            highAudience: 0,
            mediumAudience: 0,
            lowAudience: 2,
          },
        ],
      },
      {
        topicId: 1,
        topicName: "Freight",
        data: [
          {
            date: "2024-02-01",
            uniqueAudience: 4,
            totalSignals: 4,
            avgScore: 80.25,
            highAudience: 1,
            mediumAudience: 2,
            lowAudience: 1,
          },
        ],
      },
    ])
  })

  it("returns nothing for only unknown ids", async () => {
    expect(await compare({ topicIds: [99] })).toMatchObject({ status: 200, data: [] })
  })

  it.each([
    [{ topicIds: [] }, "/body/topicIds", "min_items"],
    [{ topicIds: Array(11).fill(1) }, "/body/topicIds", "max_items"],
    [{ topicIds: ["1"] }, "/body/topicIds/0", "type"],
    [{ topicIds: [1.5] }, "/body/topicIds/0", "type"],
    [{}, "/body/topicIds", "required"],
    [{ topicIds: [1], days: 7 }, "/body/days", "unknown_field"],
  ])("refuses %j", async (body, path, code) => {
    expect(await compare(body)).toMatchObject(issue(path, code))
  })

  it("accepts 10", async () => {
    expect((await compare({ topicIds: Array.from({ length: 10 }, (_, at) => at) })).status).toBe(
      200,
    )
  })

  it("is not cacheable", async () => {
    const answer = await ask("/v1/intent/topics/compare", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ topicIds: [1] }),
    })

    expect(answer.headers.get("cache-control")).toBe("no-store")
  })
})

describe("GET /v1/intent/topics/movers", () => {
  const yesterday = "2024-02-20"
  const today = "2024-03-01"
  /** One topic for each pair of audiences. Null: no row. */
  const put = async (
    audiences: Readonly<Record<number, readonly [number | null, number | null]>>,
  ) => {
    const rows = Object.entries(audiences).flatMap(([topicId, [before, now]]) => [
      ...(before === null ? [] : [{ topicId: Number(topicId), date: yesterday, audience: before }]),
      ...(now === null ? [] : [{ topicId: Number(topicId), date: today, audience: now }]),
    ])
    await putTopics(
      server,
      Object.keys(audiences).map((topicId) => topic(Number(topicId), `Topic ${topicId}`)),
    )
    await putDays(server, rows)
  }
  const changes = ({
    data,
  }: {
    readonly data: ReadonlyArray<{ readonly topicId: number; readonly pctChange: number }>
  }) => data.map(({ pctChange, topicId }) => [topicId, pctChange])

  it("compares the two newest dates with data, and returns every field", async () => {
    await putDays(server, [
      { topicId: 1, date: "2024-02-19", audience: 100 },
      { topicId: 1, date: yesterday, audience: 8 },
      { topicId: 1, date: today, audience: 9 },
    ])

    expect((await movers()).data).toEqual([
      {
        topicId: 1,
        topicName: "Freight",
        type: "both",
        industry: "Logistics",
        todayAudience: 9,
        yesterdayAudience: 8,
        pctChange: 12.5,
      },
    ])
  })

  it("up lists growing audiences, down shrinking ones, strongest first, ties by topicId", async () => {
    await put({
      10: [10, 15],
      11: [10, 20],
      12: [20, 30],
      13: [10, 10],
      14: [10, 5],
      15: [8, 1],
      16: [4, 2],
    })

    expect(changes(await movers())).toEqual([
      [11, 100],
      [10, 50],
      [12, 50],
    ])
    expect(changes(await movers("direction=up"))).toEqual(changes(await movers()))
    expect(changes(await movers("direction=down"))).toEqual([
      [15, -87.5],
      [14, -50],
      [16, -50],
    ])
  })

  it("leaves out topics without an audience yesterday; without one today, they lost everything", async () => {
    await put({ 10: [null, 50], 11: [0, 50], 12: [5, null], 13: [5, 0] })

    expect(changes(await movers())).toEqual([])
    expect(changes(await movers("direction=down"))).toEqual([
      [12, -100],
      [13, -100],
    ])
    expect((await movers("direction=down")).data).toMatchObject([
      { todayAudience: 0 },
      { todayAudience: 0 },
    ])
  })

  it("rounds to 2 decimals, halves away from zero", async () => {
    await put({ 10: [3, 4], 11: [800, 801], 12: [800, 799] })

    expect(changes(await movers())).toEqual([
      [10, 33.33],
      [11, 0.13], // 0.125
    ])
    expect(changes(await movers("direction=down"))).toEqual([[12, -0.13]])
  })

  it("filters by type, including topics of both types, and by industry, ignoring case", async () => {
    await putDays(
      server,
      [1, 2, 3].flatMap((topicId) => [
        { topicId, date: yesterday, audience: 1 },
        { topicId, date: today, audience: 2 },
      ]),
    )

    const found = async (query: string) => changes(await movers(query)).map(([topicId]) => topicId)
    expect(await found("type=b2b")).toEqual([1, 2])
    expect(await found("type=b2c")).toEqual([1, 3])
    expect(await found("type=both")).toEqual([1])
    expect(await found("industry=LOGISTICS")).toEqual([1, 2])
    expect(await found("industry=LOGISTICS&type=b2c&colour=red")).toEqual([1])
  })

  it("limit is 20 by default, and 1 to 50", async () => {
    await put(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at + 10, [1, 2]])))

    expect((await movers()).data).toHaveLength(20)
    expect((await movers("limit=50")).data).toHaveLength(50)
    expect(changes(await movers("limit=1"))).toEqual([[10, 100]])
    expect(await movers("limit=0")).toMatchObject(issue("/query/limit", "min"))
    expect(await movers("limit=51")).toMatchObject(issue("/query/limit", "max"))
    expect(await movers("direction=sideways")).toMatchObject(issue("/query/direction", "enum"))
  })

  it("are empty for a single date, or without data", async () => {
    expect(await movers()).toMatchObject({ status: 200, data: [] })
    await putDays(server, [{ topicId: 1, date: today, audience: 5 }])
    expect(await movers()).toMatchObject({ status: 200, data: [] })
  })

  it("change on every server with the next date", async () => {
    const beside = await startServer({ workers: false, beside: server })
    const both = () =>
      Promise.all(
        [ask, askPublic(beside)].map(async (at) =>
          changes((await at("/v1/intent/topics/movers")).body),
        ),
      )
    await put({ 10: [10, 11], 11: [10, 11] })
    expect(await both()).toEqual([
      [
        [10, 10],
        [11, 10],
      ],
      [
        [10, 10],
        [11, 10],
      ],
    ])

    await putDays(server, [{ topicId: 11, date: "2024-03-02", audience: 22 }])

    expect(await both()).toEqual([[[11, 100]], [[11, 100]]])
    await beside.close()
  })

  it("match a naive comparison, for any figures", async () => {
    const audience = fc.option(fc.integer({ min: 0, max: 30 }))
    const figures = fc.array(fc.tuple(audience, audience), { minLength: 1, maxLength: 20 })

    await fc.assert(
      fc.asyncProperty(figures, async (pairs) => {
        await server.sql("delete from topic_day")
        const rows: Array<TopicDayRow> = [
          // A topic that gives both dates data and does not move.
          { topicId: 1, date: yesterday, audience: 1 },
          { topicId: 1, date: today, audience: 1 },
        ]
        await putDays(server, rows)
        await put(Object.fromEntries(pairs.map((pair, at) => [at + 100, pair])))
        const expected = (sign: 1 | -1) =>
          pairs
            .map(([before, now], at) => ({ topicId: at + 100, before: before ?? 0, now: now ?? 0 }))
            .filter(({ before, now }) => before > 0 && Math.sign(now - before) === sign)
            .map(({ before, now, topicId }) => {
              const hundredths = (Math.abs(now - before) * 10_000) / before
              return [topicId, (sign * Math.floor(hundredths + 0.5)) / 100] as const
            })
            .toSorted((a, b) => Math.abs(b[1]) - Math.abs(a[1]) || a[0] - b[0])

        expect(changes(await movers("limit=50"))).toEqual(expected(1))
        expect(changes(await movers("limit=50&direction=down"))).toEqual(expected(-1))
      }),
      { numRuns: 40 },
    )
  })
})
