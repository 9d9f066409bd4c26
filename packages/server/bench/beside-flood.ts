// A small site's pixel beside an organization that floods the server with batches, without rate limits: 2,500 messages
// on each of 4 connections with a server key, then 100 on each of 64 with a browser key. The site sends 10 page views a
// second. Ours is their median time.
import { Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { apiKeyDigest, makeApiKey } from "../src/access/api-key.ts"
import { type BenchPostgres, query } from "./database.ts"
import { domain, type Fixture, makeFixture, secret } from "./fixture.ts"
import { load } from "./load.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const seconds = Number(process.env["BESIDE_SECONDS"] ?? 15)
const viewsPerSecond = 10
const agent = "Mozilla/5.0 (X11; Linux) Chrome/140"

const message = {
  type: "page",
  anonymousId: "{{browser}}",
  messageId: "{{id}}",
  context: { page: { url: `https://${domain}/pricing` } },
}

export const besideFlood = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_beside_flood")
  const fixture = await makeFixture(database)
  const neighbor = { organizationId: randomUUID(), pixelId: randomUUID() }
  await query(database, "insert into organization (id, name, slug) values ($1, 'Small', 'small')", [
    neighbor.organizationId,
  ])
  await query(
    database,
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'small.example', 'Small')",
    [neighbor.organizationId, neighbor.pixelId],
  )
  const port = await freePort()
  const child = start([serverBin, "start", "--json"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const measure = async (kind: "server" | "browser", connections: number, messages: number) => {
    const key = await addWriteKey(database, fixture, kind)
    const flood = load({
      port,
      connections,
      seconds,
      warmUpSeconds: 3,
      method: "POST",
      path: "/v1/batch",
      headers: {
        "content-type": "application/json",
        "user-agent": agent,
        authorization: `Basic ${btoa(`${key}:`)}`,
      },
      body: JSON.stringify({ batch: Array.from({ length: messages }, () => message) }),
    })
    await setTimeout(3_000)
    const times = await views(port, neighbor.pixelId)
    const { perSecond, statuses } = await flood
    const events = Math.round((perSecond * messages * (statuses["200"] ?? 0)) / sum(statuses))
    return {
      name: `beside a flood with a ${kind} key: ${messages} × ${connections}, ${events} events/s (${JSON.stringify(statuses)}); the longest ${Math.max(...times).toFixed(0)} ms`,
      floor: "-",
      ours: `${median(times).toFixed(1)} ms`,
      ratio: median(times),
      bar: { atMost: 100 },
    }
  }
  try {
    await ready(port, 0)
    const alone = await views(port, neighbor.pixelId)
    return [
      {
        name: "a small site's pixel, alone",
        floor: "-",
        ours: `${median(alone).toFixed(1)} ms`,
        ratio: median(alone),
      },
      await measure("server", 4, 2_500),
      await measure("browser", 64, 100),
    ]
  } finally {
    await stop(child)
    await postgres.drop("bench_beside_flood")
  }
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0)

/** Sends views at a steady rate, whenever the answers come, and returns the time of each. */
const views = async (port: number, pixelId: string): Promise<ReadonlyArray<number>> => {
  const answers: Array<Promise<number>> = []
  for (let sent = 0; sent < (seconds - 3) * viewsPerSecond; sent++) {
    answers.push(view(port, pixelId))
    await setTimeout(1_000 / viewsPerSecond)
  }
  return Promise.all(answers)
}

const view = async (port: number, pixelId: string): Promise<number> => {
  const time = new Date().toISOString()
  const begin = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/p/${pixelId}/e`, {
    method: "POST",
    headers: { "content-type": "text/plain", "user-agent": agent },
    body: JSON.stringify({
      v: 1,
      sentAt: time,
      anonymousId: randomUUID(),
      consent: "granted",
      events: [{ id: randomUUID(), type: "page", time, url: "https://small.example/" }],
    }),
  })
  await answer.arrayBuffer()
  if (answer.status !== 204) throw new Error(`a page view was answered ${answer.status}`)
  return performance.now() - begin
}

const addWriteKey = async (
  database: string,
  { organizationId, pixelId }: Fixture,
  kind: "server" | "browser",
): Promise<string> => {
  const key = makeApiKey("wk_")
  await query(
    database,
    `insert into write_key (organization_id, pixel_id, id, name, kind, last4, digest)
     values ($1, $2, $3, 'Bench', $4, 'bnch', $5)`,
    [organizationId, pixelId, randomUUID(), kind, apiKeyDigest(key)],
  )
  return Redacted.value(key)
}
