// Thousands of clients that leave in the middle of a request: no connection to the database and no transaction stays
// open, nothing keeps running, and the server continues. FOOTFALL_SOAK=1 for 10,000.
import { request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { random } from "../identification/simulation.ts"
import { killLeftServers } from "../support/server-process.ts"
import { Cluster } from "./cluster.ts"
import { figure, isSoak, sizeOf } from "./size.ts"
import { Watch } from "./vitals.ts"

const requests = sizeOf("SOAK_REQUESTS", 300, 10_000)
const atOnce = 20

afterAll(killLeftServers)

it(
  "aborted requests leave nothing behind",
  async () => {
    const cluster = await Cluster.open({ servers: 1, environment: { LOG_LEVEL: "error" } })
    const { apiKey, homes, servers } = cluster
    const port = homes[0]!.port
    const errors = servers[0]!.linesWith("ERROR")
    const below = random(11)
    const watch = new Watch(homes[0]!, servers[0]!.processId)
    await cluster.sql(
      `insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
       select $1, gen_random_uuid(), 'p' || n || '@acme.example',
         encode(sha256(('p' || n || '@acme.example')::bytea), 'hex'), now(), now()
       from generate_series(1, 5000) as n`,
      [cluster.organizationId],
    )
    const rule = { all: [{ field: "behavior.pageviews", op: "gte", value: 0 }] }
    const bodies = [
      ["GET", "/v1/data?timeframe=all", ""],
      ["GET", "/v1/data/suppression-rules?limit=5000", ""],
      ["POST", "/v1/data/query", JSON.stringify({ ruleAst: { version: 1, rule } })],
      [
        "POST",
        "/v1/data/suppression-rules",
        JSON.stringify({
          rules: Array.from({ length: 500 }, (_, n) => ({
            type: "domain",
            value: `a${n}.example`,
          })),
        }),
      ],
    ] as const
    const aborted = async () => {
      const [method, path, body] = bodies[below(bodies.length)]!
      const length = Buffer.byteLength(body)
      const sent = request({
        port,
        host: "127.0.0.1",
        method,
        path,
        agent: false,
        headers: {
          "x-api-key": apiKey,
          ...(length === 0 ? {} : { "content-type": "application/json", "content-length": length }),
        },
      })
      sent.on("error", () => undefined)
      sent.on("response", (answer) => answer.on("error", () => undefined).resume())
      const part = below(3) === 0 ? body.slice(0, below(length + 1)) : body
      sent.write(part)
      await sleep(below(25))
      sent.destroy()
    }
    await watch.look()
    for (let sent = 0; sent < requests; sent += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, aborted))
    }

    const left = () =>
      cluster.sql<{ state: string; count: number }>(
        `select state, count(*)::int as count from pg_stat_activity
         where application_name like 'footfall%' and state <> 'idle' and pid <> pg_backend_pid()
           and query not like '%pg_stat_activity%'
           and clock_timestamp() - state_change > interval '5 seconds'
         group by state`,
      )
    await expect.poll(left, { timeout: 60_000, interval: 500 }).toEqual([])
    expect(servers[0]!.hasEnded).toBe(false)
    const answer = await fetch(`http://127.0.0.1:${port}/v1/data`, {
      headers: { "x-api-key": apiKey },
    })
    expect(answer.status).toBe(200)
    await sleep(isSoak ? 10_000 : 500)
    await watch.look()
    const [before, after] = [watch.looks[0]!, watch.looks.at(-1)!]
    figure("C18 aborted requests", { requests, before, after, errors: errors.length })
    expect(after.files).toBeLessThanOrEqual(before.files + 20)
    expect(after.connections).toBeLessThanOrEqual(12)
    expect(errors).toEqual([])
  },
  isSoak ? 900_000 : 180_000,
)
