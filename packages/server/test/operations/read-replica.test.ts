// A server with a read replica (spec 18.5): what the replica serves, and when the primary serves instead. The tests
// pause a real replica's replay, stop its processes and promote it.
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest"
import { Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { OnReplica } from "../../src/platform/database/on-replica.ts"
import { Replica, replicaProblem, ReplicaConfig } from "../../src/platform/database/replica.ts"
import { putSignals, putTopics } from "../audiences/support.ts"
import { completedRun, makeAudience, type RunAnswer } from "../runs/support.ts"
import { domain, startServer, type TestServer } from "../support/server.ts"
import { type Standby, startStandby } from "../support/standby.ts"

let pair: Standby
let server: TestServer
let audienceId: string
let run: RunAnswer

beforeAll(async () => {
  vi.stubEnv("SYNC_CYCLE_SECONDS", "1")
  // So long that only a request or a milestone makes the primary answer, however slow the machine is.
  vi.stubEnv("DATABASE_READ_MAX_LAG", "600")
  pair = await startStandby(inject("temporaryDirectory"))
  server = await startServer({ databaseUrl: pair.primaryUrl, databaseReadUrl: pair.replicaUrl })
  await putTopics(server, [5])
  const people = ["ann", "bob", "cem"].map((name) => `${name}@harbor.example`)
  await putSignals(
    server,
    server,
    people.map((email) => ({ email, topicId: 5, score: 80 })),
  )
  audienceId = await makeAudience(server, { topicIds: [5] })
  run = await completedRun(server, audienceId)
  for (const email of people) await visit(email)
  // The server doesn't rebuild the organization's aliases in this test, however slow it is.
  await server.sql(
    "update signal_alias_map set made_at = now() + interval '1 day' where organization_id = $1",
    [server.organizationId],
  )
  await vi.waitFor(
    async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text()
      if (!metrics.includes("footfall_replica_up 1\n")) throw new Error("the replica is not in use")
    },
    { timeout: 60_000, interval: 500 },
  )
  await pair.caughtUp()
}, 120_000)

afterAll(async () => {
  await server.close()
  await pair.stop()
})

afterEach(async () => {
  const [replica] = await pair.onReplica("select pg_is_in_recovery() as is")
  if (replica?.["is"] === true) await pair.onReplica("select pg_wal_replay_resume()")
})

/** A person that identification has processed. */
const visit = async (email: string) => {
  const time = new Date().toISOString()
  const url = `https://${domain}/pricing`
  const events = [
    { id: randomUUID(), type: "page", time, url },
    { id: randomUUID(), type: "identify", time, url, email },
  ]
  const batch = { v: 1, sentAt: time, anonymousId: randomUUID(), consent: "granted", events }
  expect((await server.collect(batch)).status).toBe(204)
  await server.drain()
}

type Headers = Readonly<Record<string, string>>

/** Tests check the members that they read. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Answer = Record<"data" | "meta", any>

const get = async (path: string, headers: Headers = {}) => {
  const response = await server.get(path, headers)
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

const post = async (path: string, body: unknown, headers: Headers = {}) => {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "x-api-key": server.apiKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

const everyone = {
  version: 1,
  window: "all",
  rule: { field: "behavior.sessions", op: "gte", value: 1 },
}

const runPath = () => `/v1/intent/audiences/${audienceId}/runs/${run.id}`

/** Different for each preview, because responses are cached. */
let minScore = 0

/** For each route that may read from the replica: the number of people in a response. */
const routes: Readonly<Record<string, (headers: Headers) => Promise<number>>> = {
  list: async (headers) => (await get("/v1/data?timeframe=all", headers)).meta.total,
  query: async (headers) =>
    (await post("/v1/data/query", { ruleAst: everyone }, headers)).data.length,
  "preview of a segment": async (headers) =>
    (await post("/v1/data/segments/preview", { ruleAst: everyone }, headers)).data.count,
  companies: async (headers) => (await get("/v1/data/companies", headers)).meta.total,
  "preview of an audience": async (headers) =>
    (await post("/v1/intent/audiences/preview", { topicIds: [5], minScore: ++minScore }, headers))
      .data.totalCount,
  results: async (headers) => (await get(`${runPath()}/results`, headers)).data.results.length,
  export: async (headers) => {
    const response = await server.get(`${runPath()}/export.csv`, headers)
    return (await response.text()).trim().split("\r\n").length - 1
  },
}

const counts = async (headers: Headers = {}) => {
  const found: Record<string, number> = {}
  for (const [name, count] of Object.entries(routes)) found[name] = await count(headers)
  return found
}

const none = { "footfall-max-staleness": "0" }
const addresses = async (headers: Headers = {}, query = "") =>
  (await get(`/v1/data?timeframe=all${query}`, headers)).data.map(
    ({ email }: { email: string }) => email.split("@")[0],
  )

const pause = () => pair.onReplica("select pg_wal_replay_pause()")
const isPaused = async () =>
  (await pair.onReplica("select pg_is_wal_replay_paused() as is"))[0]?.["is"]

/** Assigns the rows that the routes count to another organization, on the primary, while the function runs. */
const hidden = async (whileHidden: () => Promise<void>) => {
  const give = async (from: string, to: string) => {
    for (const table of ["company", "run_result", "signal", "visitor"]) {
      await server.sql(`update ${table} set organization_id = $2 where organization_id = $1`, [
        from,
        to,
      ])
    }
  }
  const other = randomUUID()
  await give(server.organizationId, other)
  try {
    await whileHidden()
  } finally {
    await give(other, server.organizationId)
  }
}

it("lists, queries, previews and exports read from the replica, and with a staleness of 0 from the primary", async () => {
  await pause()
  await hidden(async () => {
    const { companies, ...people } = await counts()

    expect(new Set(Object.values(people))).toEqual(new Set([3]))
    expect(companies).toBe(1)
    expect(new Set(Object.values(await counts(none)))).toEqual(new Set([0]))
  })
})

it("a response is not older than its request's limit, although replay is paused", async () => {
  await pause()
  await visit("dan@harbor.example")

  expect(await addresses()).not.toContain("dan")
  await expect
    .poll(() => addresses({ "footfall-max-staleness": "1" }), { timeout: 60_000 })
    .toContain("dan")
  expect(await addresses()).not.toContain("dan")
  expect(await isPaused()).toBe(true)
})

it("the pages of a cursor never go back: rows of one page are not on a later one", async () => {
  await pause()
  await visit("ann@harbor.example")
  const page = (cursor: string | null, headers: Headers) =>
    post("/v1/data/query", { ruleAst: everyone, limit: 1, ...(cursor && { cursor }) }, headers)
  const read: Array<string> = []
  let cursor: string | null = null
  do {
    // The first page comes from the primary. On the replica it would be ann's again.
    const { data, meta }: Answer = await page(cursor, cursor === null ? none : {})
    read.push(data[0].email.split("@")[0])
    cursor = meta.nextCursor
  } while (cursor !== null)

  expect(read).toEqual(["ann", "dan", "cem", "bob"])
  expect(await isPaused()).toBe(true)
})

it("the results of a run are available as soon as it is completed", async () => {
  await pause()
  const { id } = await completedRun(server, audienceId)
  const { data } = await get(`/v1/intent/audiences/${audienceId}/runs/${id}/results`)

  expect(data.results).toHaveLength(3)
  expect(await isPaused()).toBe(true)
})

it("an erased person is in no response from the moment the erasure ended", async () => {
  await pair.caughtUp()
  await pause()
  const { data } = await get("/v1/data?email=cem@harbor.example")
  expect(await addresses()).toContain("cem")
  const erased = await fetch(`${server.url}/v1/data/visitors/${data.emailHash}`, {
    method: "DELETE",
    headers: { "x-api-key": server.apiKey },
  })
  expect(erased.status).toBe(200)

  expect(await addresses()).not.toContain("cem")
  expect(await routes["preview of an audience"]!({})).toBe(2)
  expect(await routes["results"]!({})).toBe(2)
  expect(await routes["export"]!({})).toBe(2)
  expect(await isPaused()).toBe(true)
})

it("a suppressed person is in no response without suppressed people from the moment they are marked", async () => {
  await pair.caughtUp()
  await pause()
  const allowed = () => addresses({}, "&suppressed=exclude")
  expect(await allowed()).toContain("bob")
  const rules = [{ type: "email", value: "bob@harbor.example" }]
  const added = await fetch(`${server.url}/v1/data/suppression-rules`, {
    method: "POST",
    headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ rules }),
  })
  expect(added.status).toBeLessThan(300)
  await vi.waitFor(
    async () => {
      const marked = await server.sql("select from visitor where suppressed")
      if (marked.length === 0) throw new Error("bob is not marked yet")
    },
    { timeout: 60_000, interval: 25 },
  )

  expect(await allowed()).not.toContain("bob")
  expect(await isPaused()).toBe(true)
})

it.each(["-1", "3601", "1.5", "soon", "01", ""])("a staleness of %j is rejected", async (bound) => {
  const response = await server.get("/v1/data", { "footfall-max-staleness": bound })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { details: { issues: [{ path: "/header/footfall-max-staleness" }] } },
  })
})

/** Runs an effect on a separate client. */
const onPrimary = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  effect.pipe(
    Effect.provide(
      Database.layer.pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(DatabaseConfig, {
              url: Option.some(Redacted.make(pair.primaryUrl)),
              dataDir: "unused",
            }),
            Layer.succeed(ReplicaConfig, {
              url: Redacted.make(pair.replicaUrl),
              maxLagSeconds: 600,
            }),
            Logger.layer([]),
          ),
        ),
      ),
    ),
    Effect.runPromise,
  )

/** Like `onPrimary`, once that client reads from the replica. */
const onReplica = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  onPrimary(
    Effect.andThen(
      Effect.repeat(Effect.delay(read(OnReplica), "25 millis"), { until: (is) => is }),
      effect,
    ),
  )

const read = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Replica, (replica) => replica.read(server.organizationId, effect))

it("a read that a recovery conflict ends on the replica is repeated on the primary", async () => {
  const asked = onReplica(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* read(
        sql`select pg_is_in_recovery() as "isReplica", count(*)::int as topics,
          case when pg_is_in_recovery() then pg_sleep(60) end from topic`,
      )
    }),
  )
  await vi.waitFor(
    async () => {
      const [{ count } = {}] = await pair.onReplica(
        "select count(*)::int as count from pg_stat_activity where wait_event = 'PgSleep'",
      )
      if (count === 0) throw new Error("the replica is not asked yet")
    },
    { timeout: 60_000, interval: 25 },
  )
  // Replaying it needs the table exclusively.
  await pair.onPrimary("vacuum full topic")

  expect(await asked).toMatchObject([{ isReplica: false, topics: 1 }])
})

it("only the primary runs a statement that changes something", async () => {
  const made = await onReplica(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* read(
        sql`update topic set industry = industry returning pg_is_in_recovery() as "isReplica"`,
      )
    }),
  )

  expect(made).toEqual([{ isReplica: false }])
})

it("a replica that stops responding delays no request for long, and is used again when it responds", async () => {
  await pair.caughtUp()
  const list = await readFile(`/proc/${pair.processId}/task/${pair.processId}/children`, "utf8")
  const backends = list.trim().split(" ").map(Number)
  const signal = (name: NodeJS.Signals) => {
    for (const id of [pair.processId, ...backends]) {
      try {
        process.kill(id, name)
      } catch {
        // A session that has ended in the meantime.
      }
    }
  }
  signal("SIGSTOP")
  try {
    for (let round = 0; round < 3; round++) expect(await addresses()).toContain("ann")
  } finally {
    signal("SIGCONT")
  }
  await pause()
  await hidden(async () => {
    await expect.poll(() => addresses(), { timeout: 60_000 }).toContain("ann")
  })
})

/** The doctor's finding. */
const problem = () =>
  onPrimary(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      replicaProblem(sql, Redacted.make(pair.replicaUrl), 5_000),
    ),
  )

it("a promoted replica is no longer used", async () => {
  await pair.onReplica("select pg_promote()")
  await pair.onReplica("update visitor set held_back = true")

  expect(await addresses()).toContain("ann")
  expect(await problem()).toBe("DATABASE_READ_URL does not name a replica")
})
