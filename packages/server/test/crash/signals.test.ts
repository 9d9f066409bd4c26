// An import of signals is killed with kill -9 at any time, in the operator's command and in a server: each date is as
// before or as afterwards, never in between, and repeating the import gives the same result as an undisturbed one (spec
// 5.14). FOOTFALL_SOAK=1 for the full number of kills.
import { createReadStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { setTimeout as wait } from "node:timers/promises"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { compiledOnce } from "../../../../scripts/test-run/compiled-once.ts"
import { random } from "../identification/simulation.ts"
import { clickHouseAt } from "../../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { RowBinary } from "../../src/platform/outbound/clickhouse/row-binary.ts"
import { clickHouseCluster, clickHouseDatabase, isInClickHouse } from "../support/clickhouse.ts"
import { testDatabaseUrl } from "../support/database.ts"
import {
  killLeftServers,
  makeServerHome,
  runCommand,
  type ServerHome,
  ServerProcess,
} from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"
import { daysAgo, type SignalRecord, signalsCsv } from "../topics/signals-layer.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const kills = isSoak ? 20 : 2
const timeoutMs = isSoak ? 1_200_000 : 300_000

const organizationId = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
const email = "owner@footfall.example"
const dates = [0, 1, 2, 3].map(daysAgo)
const peoplePerDate = isSoak ? 40_000 : 20_000
const program = fileURLToPath(new URL("../../bin/footfall-server.js", import.meta.url))
const file = (name: string) => join(inject("temporaryDirectory"), name)

afterAll(killLeftServers)

/** Dates are mixed, and every person has the score `score`. */
const records = (score: number, peopleCount: number): ReadonlyArray<SignalRecord> =>
  Array.from({ length: peopleCount * dates.length }, (_, row) => ({
    topicId: 1 + (row % 7),
    emailHash: Math.floor(row / dates.length)
      .toString(16)
      .padStart(64, "0"),
    score: score + (row % 5),
    date: dates[row % dates.length]!,
  }))

interface Installation {
  readonly home: ServerHome
  readonly pool: pg.Pool
  drop(): Promise<void>
}

/** Where signals are in ClickHouse: by the pool of the database beside it. */
const addresses = new Map<pg.Pool, string>()

/** A database that has the first import already. */
const install = async (): Promise<Installation> => {
  const database = await testDatabaseUrl()
  const address = isInClickHouse ? await clickHouseDatabase() : undefined
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  pool.on("error", () => undefined)
  if (address !== undefined) addresses.set(pool, address)
  const home = await makeServerHome({
    ...(address === undefined ? {} : { CLICKHOUSE_URL: address }),
    ...(clickHouseCluster === undefined ? {} : { CLICKHOUSE_CLUSTER: clickHouseCluster }),
    DATABASE_URL: database.url,
    FOOTFALL_SECRET: testSecret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  })
  await pool.query(
    "insert into organization (id, name, slug, is_operator) values ($1, 'Operator', 'operator', true)",
    [organizationId],
  )
  await pool.query(
    `insert into topic (topic_id, topic_name, type, industry, category)
     select n, 'Topic ' || n, 'b2b', 'logistics', 'warehousing' from generate_series(1, 7) as n`,
  )
  await pool.query(
    `with owner as (
       insert into user_account (id, email, name) values (gen_random_uuid(), $2, 'Owner') returning id
     ) insert into member (organization_id, user_id, role) select $1, id, 'owner' from owner`,
    [organizationId, email],
  )
  const first = await runCommand(home, "footfall-server", "import", "signals", file("before.csv"))
  expect(first.stderr).toBe("")
  return {
    home,
    pool,
    drop: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

/** The visible content of each date. */
const stateOf = async (pool: pg.Pool): Promise<ReadonlyMap<string, string>> => {
  const remote = await remoteStates(pool)
  const { rows } = await pool.query<{ date: string; state: string; generation: string }>(
    `select d.date::text as date, d.generation, concat_ws(' ', d.signals,
       (select md5(string_agg(concat_ws(' ', s.topic_id, s.score, p.email_hash), ','
          order by s.topic_id, s.score, p.email_hash))
        from signal s
        cross join lateral unnest(s.people) as person
        join signal_person p on p.id = person
        where s.organization_id = d.organization_id and s.date = d.date),
       (select md5(string_agg(t::text, ',' order by t.topic_id)) from topic_day t
        where t.date = d.date)) as state
     from signal_date d order by d.date`,
  )
  return new Map(
    rows.map(({ date, generation, state }) => [date, `${state} ${remote.get(generation) ?? ""}`]),
  )
}

/** The content of each set that Postgres names, if this run keeps signals in ClickHouse. */
const remoteStates = async (pool: pg.Pool): Promise<ReadonlyMap<string, string>> => {
  const address = addresses.get(pool)
  if (address === undefined) return new Map()
  const client = clickHouseAt(address)
  const bytes = await Effect.runPromise(
    client.query("select toString(generation), topic_id, score, person from footfall_signal"),
  )
  await Effect.runPromise(client.close)
  const { rows } = await pool.query<{ id: number; hash: string }>(
    "select id, encode(email_hash, 'hex') as hash from signal_person",
  )
  const hashes = new Map(rows.map(({ hash, id }) => [id, hash]))
  const lines = new Map<string, Array<string>>()
  for (const signals = new RowBinary(bytes); signals.hasMore;) {
    const generation = signals.text()
    const of = lines.get(generation) ?? []
    lines.set(generation, of)
    of.push(`${signals.integer()} ${signals.byte()} ${hashes.get(signals.integer())}`)
  }
  return new Map(
    [...lines].map(([generation, of]) => [
      generation,
      createHash("md5").update(of.toSorted().join()).digest("hex"),
    ]),
  )
}

/** Resolves once the killed import's session has ended. */
const settled = (pool: pg.Pool) =>
  vi.waitFor(
    async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity
         where application_name = 'footfall import' and datname = current_database()`,
      )
      expect(rows).toEqual([])
    },
    { timeout: 60_000, interval: 20 },
  )

let before: ReadonlyMap<string, string>
let after: ReadonlyMap<string, string>
let undisturbedMs: number

beforeAll(async () => {
  await writeFile(file("before.csv"), signalsCsv(records(10, peoplePerDate / 4)))
  await writeFile(file("after.csv"), signalsCsv(records(50, peoplePerDate)))
  const { drop, home, pool } = await install()
  before = await stateOf(pool)
  const begin = performance.now()
  const done = await runCommand(home, "footfall-server", "import", "signals", file("after.csv"))
  undisturbedMs = performance.now() - begin
  expect(done.exitCode).toBe(0)
  after = await stateOf(pool)
  await drop()
}, timeoutMs)

/** Starts an import and kills its process after `ms`. */
type Attempt = (home: ServerHome, ms: number) => Promise<void>

const byCommand: Attempt = async ({ environment }, ms) => {
  const child = spawn(process.execPath, [program, "import", "signals", file("after.csv")], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      // Like the undisturbed one, whose time decides when to kill.
      ...compiledOnce(),
      ...environment,
    },
    stdio: "ignore",
  })
  const ended = once(child, "exit")
  await Promise.race([wait(ms), ended])
  child.kill("SIGKILL")
  await ended
}

const byRoute: Attempt = async (home, ms) => {
  const server = await ServerProcess.start(home)
  const { url } = await server.ready
  const { stdout } = await runCommand(home, "footfall-server", "token", "--email", email, "--json")
  const { accessToken } = JSON.parse(stdout) as { readonly accessToken: string }
  const sending = fetch(`${url}/v1/admin/import/signals`, {
    method: "POST",
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "text/csv" },
    body: Readable.toWeb(createReadStream(file("after.csv"))) as ReadableStream,
    duplex: "half",
    // A Node stream as body, which the Web types don't know.
  } as RequestInit).catch(() => undefined)
  await Promise.race([wait(ms), sending])
  await server.kill()
  await sending
}

const survive = async (attempt: Attempt, seed: number): Promise<void> => {
  const { drop, home, pool } = await install()
  const below = random(seed)
  const seen = new Set<string>()
  for (let kill = 0; kill < kills; kill++) {
    // At random, once in each share of the time: what one kill leaves done stays done for the next.
    await attempt(home, Math.floor(((kill + below(1000) / 1000) / kills) * undisturbedMs))
    await settled(pool)
    const state = await stateOf(pool)
    expect([...state.keys()]).toEqual([...before.keys()])
    for (const [date, content] of state) {
      expect([before.get(date), after.get(date)]).toContain(content)
      seen.add(content === after.get(date) ? "after" : "before")
    }
  }
  const last = await runCommand(home, "footfall-server", "import", "signals", file("after.csv"))

  expect(last.exitCode).toBe(0)
  expect(await stateOf(pool)).toEqual(after)
  const { rows } = await pool.query("select from signal_staged")
  expect(rows).toEqual([])
  expect(seen.has("before")).toBe(true)
  await drop()
}

describe("an import of signals ends like an undisturbed one, and no date is visible in between", () => {
  it("after kill -9 of the command", () => survive(byCommand, 31), timeoutMs)

  it("after kill -9 of a server that runs it", () => survive(byRoute, 32), timeoutMs)
})
