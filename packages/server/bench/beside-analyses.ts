// One organization's site analysis beside another user's: 40 organizations of one user analyze a site that takes its
// time, without rate limits. Ours is the longest of ten analyses of a site that answers at once.
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import type { BenchPostgres } from "./database.ts"
import { secret } from "./fixture.ts"
import { makeOrganization } from "./neighbors.ts"
import { freePort, median, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

const organizationCount = 40
const analysesOfEach = 2
const slowMs = 8_000
const page = `<title>Harbor logistics</title><p>Freight, harbors and warehouses for companies.</p>`

/** A path that starts with `/slow` takes `slowMs`. */
const site = async () => {
  const server = createServer((request, response) => {
    const delay = request.url?.startsWith("/slow") === true ? slowMs : 0
    void setTimeout(delay, undefined, { ref: false }).then(() => {
      response.setHeader("content-type", "text/html").end(page)
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

export const besideAnalyses = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await postgres.database("bench_beside_analyses")
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const greedy = randomUUID()
  await client.query("insert into user_account (id, email, name) values ($1, $2, 'Greedy')", [
    greedy,
    `${greedy}@footfall.example`,
  ])
  const greedyKeys = []
  for (let place = 0; place < organizationCount; place++) {
    const { apiKey, organizationId } = await makeOrganization(client, `greedy${place}`)
    await client.query("update organization set created_by = $2 where id = $1", [
      organizationId,
      greedy,
    ])
    greedyKeys.push(apiKey)
  }
  const neighbor = await makeOrganization(client, "neighbor")
  const sites = await site()
  const { port: sitePort } = sites.address() as AddressInfo
  const port = await freePort()
  const child = start([serverBin, "start", "--json", "--no-workers"], {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    ALLOW_PRIVATE_WEBHOOKS: "on",
    LOG_LEVEL: "error",
    PORT: String(port),
  })
  const analyze = async (apiKey: string, path: string) => {
    const begun = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/intent/topics/analyze`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ url: `http://127.0.0.1:${sitePort}${path}` }),
    })
    const text = await answer.text()
    if (path.startsWith("/quick") && answer.status !== 200) throw new Error(text)
    return performance.now() - begun
  }
  const measure = async (name: string): Promise<Row> => {
    const times = []
    for (let place = 0; place < 10; place++) {
      times.push(await analyze(neighbor.apiKey, `/quick/${randomUUID()}`))
    }
    const longest = Math.max(...times) / 1_000
    return {
      name: `longest of 10 site analyses, ${name}; median ${median(times).toFixed(0)} ms`,
      floor: "-",
      ours: `${longest.toFixed(2)} s`,
      ratio: longest,
      bar: { atMost: 1 },
    }
  }
  try {
    await ready(port, 0)
    await analyze(neighbor.apiKey, `/quick/${randomUUID()}`)
    const alone = await measure("alone")
    const end = new AbortController()
    const flood = greedyKeys.flatMap((key) =>
      Array.from({ length: analysesOfEach }, async () => {
        while (!end.signal.aborted) await analyze(key, `/slow/${randomUUID()}`)
      }),
    )
    await setTimeout(3_000)
    const beside = await measure(
      `beside ${organizationCount} organizations of one user with a site that takes ${slowMs / 1_000} s`,
    )
    end.abort()
    await Promise.all(flood)
    return [alone, beside]
  } finally {
    await client.end()
    sites.close()
    await stop(child)
  }
}
