// The command that moves signals between Postgres and ClickHouse is killed with kill -9 in the middle of a date (spec
// 18.4.3). After each kill every date is in exactly one store as a whole and a running server gives the same answers,
// and the next call moves only the dates that are left. FOOTFALL_SOAK=1 for the full number of kills.
import { Effect } from "effect"
import { setTimeout as wait } from "node:timers/promises"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { compiledOnce } from "../../../../scripts/test-run/compiled-once.ts"
import { clickHouseAt } from "../../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { RowBinary } from "../../src/platform/outbound/clickhouse/row-binary.ts"
import { run } from "../commands/command.ts"
import { random } from "../identification/simulation.ts"
import { figure, sizeOf } from "../soak/size.ts"
import { clickHouseCluster, clickHouseDatabase } from "../support/clickhouse.ts"
import { ClickHouseProxy } from "../support/clickhouse-proxy.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"
import { daysAgo, signalsCsv, topic } from "../topics/signals-layer.ts"

const kills = sizeOf("SOAK_KILLS", 2, 20)
const people = sizeOf("SOAK_PEOPLE", 2_000, 40_000)
const dates = [0, 1, 2].map(daysAgo)
const topicIds = [1, 2, 3]
const program = fileURLToPath(new URL("../../bin/footfall-server.js", import.meta.url))

let clickhouseUrl: string
let server: TestServer
let proxy: ClickHouseProxy
let environment: Record<string, string>
let before: Awaited<ReturnType<typeof answers>>

beforeAll(async () => {
  clickhouseUrl = await clickHouseDatabase()
  server = await startServer({ clickhouseUrl, clickhouseCluster: clickHouseCluster })
  proxy = await ClickHouseProxy.start(clickhouseUrl)
  environment = {
    DATABASE_URL: server.databaseUrl,
    CLICKHOUSE_URL: proxy.address,
    ...(clickHouseCluster === undefined ? {} : { CLICKHOUSE_CLUSTER: clickHouseCluster }),
    FOOTFALL_SECRET: testSecret,
  }
  await server.sql("update organization set is_operator = true")
  const { accessToken } = await server.makeUser("owner")
  const send = async (kind: string, type: string, body: string) => {
    const response = await fetch(`${server.url}/v1/admin/import/${kind}`, {
      method: "POST",
      headers: { authorization: `Bearer ${accessToken}`, "content-type": type },
      body,
    })
    expect(response.status).toBe(200)
  }
  const topics = topicIds.map((topicId) => `${JSON.stringify(topic(topicId))}\n`)
  await send("topics", "application/x-ndjson", topics.join(""))
  const records = Array.from({ length: people * dates.length }, (_, row) => ({
    topicId: topicIds[row % topicIds.length]!,
    emailHash: Math.floor(row / dates.length)
      .toString(16)
      .padStart(64, "0"),
    score: 40 + (row % 50),
    date: dates[Math.floor(row / 7) % dates.length]!,
  }))
  await send("signals", "text/csv", signalsCsv(records))
  await server.sql("update organization set is_operator = false")
  before = await answers()
  expect(before.previews).not.toContain(0)
  return async () => {
    await proxy.close()
    await server.close()
  }
})

/** What the running server answers, and the figures and signals of each date, wherever they are. */
const answers = async () => {
  const previews = []
  for (const minScore of [41, 60, 85]) {
    for (const minTopicOverlap of [1, 2]) {
      previews.push(await server.sdk.audiences.preview({ topicIds, minScore, minTopicOverlap }))
    }
  }
  return {
    previews: previews.map(({ totalCount }) => totalCount),
    days: await server.sql("select * from topic_day order by date, topic_id"),
    dates: await server.sql("select date::text, signals from signal_date order by date"),
    signals: await signals(),
  }
}

/** A digest of date, topic, score and person. A date that is in both stores is an error. */
const signals = async (): Promise<string> => {
  const client = clickHouseAt(clickhouseUrl)
  const bytes = await Effect.runPromise(
    client.query(`
      select toString(generation), arrayStringConcat(
        [toString(date), toString(topic_id), toString(score), toString(person)], ' '
      ) from footfall_signal`),
  )
  await Effect.runPromise(client.close)
  const byGeneration = new Map<string, Array<string>>()
  for (const rows = new RowBinary(bytes); rows.hasMore;) {
    const generation = rows.text()
    const lines = byGeneration.get(generation) ?? []
    byGeneration.set(generation, lines)
    lines.push(rows.text())
  }
  const stored = await server.sql(`
    select day.generation, array(
      select concat_ws(' ', s.date, s.topic_id, s.score, person)
      from signal as s cross join unnest(s.people) as person
      where s.organization_id = day.organization_id and s.date = day.date
    ) as lines
    from signal_date as day`)
  const lines = stored.flatMap(({ generation, lines }) => {
    const own = lines as ReadonlyArray<string>
    if (generation === null) return own
    expect(own).toHaveLength(0)
    return byGeneration.get(String(generation)) ?? []
  })
  return `${lines.length} ${createHash("sha256").update(lines.toSorted().join("\n")).digest("hex")}`
}

const named = async () =>
  (await server.sql("select date from signal_date where generation is not null")).length

/** Resolves once nothing that the killed command began is in progress. */
const settled = async () => {
  await proxy.settled()
  await expect
    .poll(
      () =>
        server.sql(
          `select from pg_stat_activity
           where application_name = 'footfall import' and datname = current_database()`,
        ),
      { timeout: 60_000, interval: 20 },
    )
    .toEqual([])
}

describe.each([
  { to: "postgres", seed: 51 },
  { to: "clickhouse", seed: 52 },
])("a copy of signals to $to", ({ seed, to }) => {
  it(
    "that is killed at any moment leaves each date in one store, and the next call moves the rest",
    async () => {
      const args = ["signals", "copy", "--to", to, "--json"]
      const below = random(seed)
      const remaining = async () => (to === "postgres" ? named() : dates.length - (await named()))
      const hits: Array<string> = []
      expect(await remaining()).toBe(dates.length)

      for (let kill = 0; kill < kills && (await remaining()) > 0; kill++) {
        // Every second kill is shortly after a moment, while Postgres works or commits.
        const isHeld = kill % 2 === 0
        const reached = proxy.moment(/footfall_(signal|generation)/, 2 + below(12), { isHeld })
        const child = spawn(process.execPath, [program, ...args], {
          env: {
            PATH: process.env["PATH"],
            TMPDIR: process.env["TMPDIR"],
            ...compiledOnce(),
            ...environment,
          },
          stdio: "ignore",
        })
        const ended = once(child, "exit")
        const moment = await Promise.race([reached, ended.then(() => undefined)])
        if (!isHeld) await wait(below(20))
        child.kill("SIGKILL")
        await ended
        await settled()
        hits.push(moment === undefined ? "ended" : isHeld ? moment.of : "later")
        expect(await answers()).toEqual(before)
      }
      const left = await remaining()
      const done = await run(args, environment)

      expect(done).toMatchObject({ code: 0, stderr: "" })
      expect(JSON.parse(done.stdout)).toMatchObject({ to, dates: left })
      expect(await remaining()).toBe(0)
      expect(await answers()).toEqual(before)
      expect(hits).toContain("statement")
      figure(`copies of signals to ${to} killed`, { kills: hits, people })
    },
    kills * 20_000 + 120_000,
  )
})
