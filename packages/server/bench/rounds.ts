// The workers that go through everyone of an organization with 2,000,000 visitors: scores after a change of their settings,
// and the sweep of an alert about a segment. A turn is the time during which one transaction holds the worker's lock of
// the organization. It's sampled from pg_locks every few milliseconds.
import pg from "pg"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { advisoryLocks } from "../src/platform/database/advisory-locks.ts"
import { type BenchPostgres, query } from "./database.ts"
import { makeFieldsFixture } from "./fields-fixture.ts"
import { addKey, organizationOf, secret } from "./fixture.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"
import { visitors } from "./visitors-fixture.ts"

/** How long a round is watched. It lasts longer. */
const seconds = Number(process.env["ROUND_SECONDS"] ?? 120)
const longestMs = 200
/** A sweep takes at most this long (spec 8.7). */
const sweepMax = 600

export const rounds = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.copy("bench_rounds", "bench_fields", makeFieldsFixture)
  const organizationId = await organizationOf(database)
  const apiKey = await addKey(database, organizationId)
  const watch = new pg.Client({ connectionString: database })
  await watch.connect()
  const port = await freePort()
  const server = start([serverBin, "start", "--json"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    ALLOW_PRIVATE_WEBHOOKS: "on",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (JSON.parse(text) as { readonly data: unknown }).data
  }
  /** The durations of the turns until `isOver`, or until the time is up. */
  const turnsUntil = async (lock: number, isOver: () => Promise<boolean>, most: number) => {
    const seen = new Map<string, { readonly first: number; last: number }>()
    const end = performance.now() + most * 1_000
    let checkAt = 0
    while (performance.now() < end) {
      const { rows } = await watch.query(
        `select virtualtransaction as turn, extract(epoch from clock_timestamp()) * 1000 as at
         from pg_locks where locktype = 'advisory' and granted and classid = $1 and objsubid = 2
           and virtualtransaction not like '%/0'
           and database = (select oid from pg_database where datname = current_database())`,
        [lock],
      )
      for (const row of rows) {
        const at = Number(row.at)
        const turn = seen.get(row.turn)
        if (turn === undefined) seen.set(row.turn, { first: at, last: at })
        else turn.last = at
      }
      if (performance.now() > checkAt) {
        if (await isOver()) break
        checkAt = performance.now() + 1_000
      }
      await sleep(3)
    }
    return [...seen.values()].map(({ first, last }) => last - first)
  }
  const count = async (text: string) => Number((await query(database, text))[0]!["count"])
  const rowsOf = (name: string, turns: ReadonlyArray<number>): ReadonlyArray<Row> =>
    Object.entries({
      "longest turn": Math.max(0, ...turns),
      "turn, 99th percentile": turns.toSorted((a, b) => a - b)[Math.floor(turns.length * 0.99)]!,
      "median turn": median(turns),
    }).map(([what, ms]) => ({
      name: `rounds: ${what} of ${name}, ${visitors.toLocaleString("en")} visitors`,
      floor: `${turns.length} turns`,
      ours: `${ms.toFixed(0)} ms`,
      ratio: ms,
      ...(what === "median turn" ? {} : { bar: { atMost: longestMs } }),
    }))
  try {
    await ready(port, 0)
    await send("PUT", "/v1/data/score", { threshold: 61 })
    const begin = performance.now()
    const scoreTurns = await turnsUntil(advisoryLocks.scores, async () => false, seconds)
    const watched = (performance.now() - begin) / 1_000
    const computed = await count("select count(*) from visitor_score where revision > 0")
    const receiver = createServer((_, answer) => answer.writeHead(204).end()).listen(0, "127.0.0.1")
    const segment = (await send("POST", "/v1/data/segments", {
      name: "Large companies that read pricing",
      ruleAst: {
        version: 1,
        rule: {
          all: [
            { field: "company.employee_count", op: "gte", value: 200 },
            { field: "behavior.pricing_page_views", op: "gte", value: 2 },
          ],
        },
      },
    })) as { readonly id: string }
    await send("POST", "/v1/data/webhooks", {
      name: "Entered",
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      trigger: "entered_segment",
      segmentId: segment.id,
    })
    const sweepBegin = performance.now()
    let isSwept = false
    const sweepTurns = await turnsUntil(
      advisoryLocks.segments,
      async () =>
        (isSwept =
          (await count("select count(*) from segment_watch where verified_from is not null")) > 0),
      sweepMax + 60,
    )
    const swept = (performance.now() - sweepBegin) / 1_000
    receiver.close()
    return [
      ...rowsOf("scores", scoreTurns),
      {
        name: "rounds: scores computed again after a change of the settings",
        floor: "–",
        ours: `${(computed / watched).toFixed(0)}/s, everyone in ${((visitors * watched) / computed / 60).toFixed(0)} min`,
        ratio: computed / watched,
      },
      ...rowsOf("a segment's sweep", sweepTurns),
      {
        name: `rounds: a sweep of a segment${isSwept ? "" : " (not over)"}, seconds`,
        floor: "–",
        ours: `${swept.toFixed(0)} s`,
        ratio: swept,
        bar: { atMost: sweepMax },
      },
    ]
  } finally {
    await watch.end()
    await stop(server)
    await postgres.drop("bench_rounds")
  }
}
