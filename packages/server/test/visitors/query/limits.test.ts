// The cost of an expensive rule (spec 2.1, 10.2): counting gives up after two seconds, a page after ten with
// QUERY_TOO_SLOW, and other requests continue meanwhile. A comparison that sleeps makes rules slow.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { hashOf } from "./put-people.ts"
import { ask, everyone, predicate, settle, someone } from "./scene.ts"

const jane = someone([Date.now() - 3_600_000], {}, { utmSource: "newsletter" })
const slow = predicate("attribution.utm_source", "any_eq", "newsletter")

/** The most predicates and texts that a rule may have, of texts that no one has. */
const worstRule = (field: string, textOf: (index: number) => string) => ({
  ruleAst: {
    version: 1,
    window: "all",
    rule: {
      any: Array.from({ length: 50 }, (_, at) => ({
        field,
        op: "any_in",
        value: Array.from({ length: 1_000 }, (__, index) => textOf(at * 1_000 + index)),
      })),
    },
  },
})
/** The most counts of different names, none of which is ever reached. */
const worstCount = (field: string, ofOf: (index: number) => string) => ({
  ruleAst: {
    version: 1,
    window: "all",
    rule: {
      any: Array.from({ length: 50 }, (_, at) => ({ field, of: ofOf(at), op: "gt", value: 1e6 })),
    },
  },
})
const worstRules = [
  worstRule("behavior.visited_paths", (index) => `/%C3%9F${index}`),
  worstRule("behavior.custom_events", (index) => `ß-event-${index}`),
  worstRule("attribution.utm_source", (index) => `ß-source-${index}`),
  worstRule("attribution.channel", (index) => `ß-channel-${index}`),
]
const worstCounts = [
  worstCount("behavior.path_views", (index) => `/*/ß${index}/*`),
  worstCount("behavior.event_count", (index) => `Event ${index}`),
  worstCount("behavior.event_property", (index) => `Event ${index}.seats`),
]

const names = Array.from({ length: 50 }, (_, index) => `Event ${index}`)

/** What makes a session costly to compare. */
const costly = {
  urls: Array.from({ length: 200 }, (_, index) => `https://tidewater.example/%C3%A4/${index}`),
  events: names.map((name) => ({ name, properties: {} })),
  isUncounted: true,
  utmSource: "Ä".repeat(200),
}

/** What makes it costly to count. */
const counted = {
  ...costly,
  urls: costly.urls.slice(0, 100),
  views: Array.from({ length: 100 }, () => 1),
  events: names.map((name, seats) => ({ name, properties: { plan: "Ä".repeat(70), seats } })),
  isUncounted: false,
}

let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
  await settle(server, server, [jane])
})

afterAll(() => server.close())

/** Makes each comparison of a campaign's source take this long from now on. */
const compareFor = (seconds: number) =>
  server.sql(
    `create or replace function fold_case(value text) returns text language plpgsql as
     $$ begin perform pg_sleep(${seconds}); return value; end $$`,
  )

describe("a rule that takes long", () => {
  it("has no total if counting takes more than two seconds; the page is still returned", async () => {
    await compareFor(3)

    const answer = await ask(server, slow)

    expect([answer.status, answer.meta["total"]]).toEqual([200, null])
    expect(answer.data.map(({ emailHash }) => emailHash)).toEqual([hashOf(jane)])
    await compareFor(0)
    const totals = await Promise.all(Array.from({ length: 12 }, () => ask(server, slow)))
    expect(totals.map(({ meta }) => meta["total"])).toEqual(totals.map(() => 1))
  })

  it("is QUERY_TOO_SLOW, which clients do not retry, if a page takes more than ten seconds", async () => {
    await compareFor(11)

    const { error, meta, status } = await ask(server, slow)

    await compareFor(0)
    expect([status, error?.code]).toEqual([422, "QUERY_TOO_SLOW"])
    expect(error?.details).toEqual({ seconds: 10 })
    expect(error?.message).toContain("Use a shorter window")
    expect(Object.keys(meta)).toEqual(["timestamp", "request_id"])
    expect((await ask(server, slow)).status).toBe(200)
  })

  it.each([
    { most: "texts that a body has room for", rules: worstRules, count: 300, visits: 20, costly },
    {
      most: "counts that a rule may have",
      rules: worstCounts,
      count: 60,
      visits: 10,
      costly: counted,
    },
  ])(
    "is a page or QUERY_TOO_SLOW within the limit for the most $most",
    async ({ costly: change, count, rules, visits }) => {
      const people = Array.from({ length: count }, () =>
        someone(
          Array.from({ length: visits }, (_, index) => Date.now() - index * 86_400_000),
          {},
          change,
        ),
      )
      const other = await server.makeOrganization()
      await settle(server, other, people)
      const began = performance.now()

      const answers = await Promise.all(
        rules.map((rule) => ask(server, rule, { key: other.apiKey })),
      )

      const known = ["200", "422 QUERY_TOO_SLOW", "503 SERVICE_UNAVAILABLE"]
      for (const { error, status } of answers) {
        expect(known).toContain(error === undefined ? String(status) : `${status} ${error.code}`)
      }
      // Ten seconds for a turn and ten for the statement.
      expect(performance.now() - began).toBeLessThan(25_000)
      expect((await ask(server, everyone)).status).toBe(200)
    },
    60_000,
  )

  it("is 503, which clients may retry, if the database ends its session", async () => {
    await compareFor(5)
    const answer = ask(server, slow)
    const ended = () =>
      server.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
           and query like '%order by last_seen_at desc%'`,
      )
    await expect.poll(async () => (await ended()).length, { interval: 50 }).toBe(1)

    const { error, status } = await answer

    await compareFor(0)
    expect([status, error?.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
  })

  it("C16: takes no more than its share of the connections, no matter how often it is requested", async () => {
    await compareFor(3)
    let finished = 0
    const costly = Array.from({ length: 6 }, () =>
      ask(server, slow).finally(() => {
        finished += 1
      }),
    )
    await working()

    const others = await Promise.all(
      Array.from({ length: 10 }, () => server.get("/v1/data?timeframe=all")),
    )

    expect([finished, ...others.map(({ status }) => status)]).toEqual([0, ...others.map(() => 200)])
    expect((await Promise.all(costly)).map(({ status }) => status)).toEqual(costly.map(() => 200))
    await compareFor(0)
  })
})

it("the rules of one organization never make another's wait until they end", async () => {
  await compareFor(3)
  let finished = 0
  const costly = Array.from({ length: 20 }, () =>
    ask(server, slow).finally(() => {
      finished += 1
    }),
  )
  await working()
  const other = await server.makeOrganization()

  const answer = await ask(server, everyone, { key: other.apiKey })

  expect([answer.status, finished]).toEqual([200, 0])
  await compareFor(0)
  await Promise.all(costly)
})

it("30 queries per minute and key are accepted, the next one is rejected", async () => {
  const limited = await startServer({ beside: server, rateLimits: true, workers: false })

  const answers = await Promise.all(Array.from({ length: 31 }, () => ask(limited, everyone)))

  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.map(({ error }) => error?.code)).toEqual(["RATE_LIMITED"])
  expect(refused[0]?.headers.get("ratelimit-limit")).toBe("30")
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await limited.get("/v1/data")).status).toBe(200)
  await limited.close()
})

/** Resolves when rules are being evaluated. */
const working = async (): Promise<void> => {
  for (;;) {
    const [row] = await server.sql(
      `select count(*)::int as asleep from pg_stat_activity
       where wait_event = 'PgSleep' and datname = current_database()`,
    )
    if (Number(row?.["asleep"]) > 1) return
  }
}
