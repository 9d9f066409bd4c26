// How one organization's load affects another. First, the heaviest legal rule runs 16 at a time
// over 2,000,000 visitors, next to a query by an organization without visitors. Second, two imports
// send a byte now and then, next to the import of a third organization. Ours is the longest time
// for the other organization.
import pg from "pg"
import { Redacted } from "effect"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { apiKeyDigest, makeApiKey } from "../src/access/api-key.ts"
import { type BenchPostgres, query } from "./database.ts"
import { type Fixture, secret } from "./fixture.ts"
import { freePort, ready, serverBin, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"
import { filledDatabase } from "./turns.ts"

const rulesAtOnce = 16
const queryCount = 10
/** Gives up on an import that takes longer. */
const patienceMs = 60_000

/** Slow enough that each query takes seconds, whatever it finds. */
const heavy = {
  version: 1,
  rule: {
    any: Array.from({ length: 25 }, (_, place) => ({
      field: "company.industry",
      op: "contains",
      value: `nowhere-to-be-found-${place}`,
    })),
  },
}
const light = {
  version: 1,
  rule: { all: [{ field: "company.industry", op: "contains", value: "x" }] },
}

export const neighbors = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const database = await filledDatabase(postgres, "bench_neighbors")
  const [found] = await query(database, "select fixture from bench_fixture")
  const ours = found!["fixture"] as Fixture
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const theirs = await makeOrganization(client, "theirs")
  const third = await makeOrganization(client, "third")
  const port = await freePort()
  const environment = {
    DATABASE_URL: database,
    FOOTFALL_SECRET: secret,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
    PORT: String(port),
  }
  const server = start([serverBin, "start", "--json", "--no-workers"], environment)
  const ask = async (apiKey: string, ruleAst: unknown) => {
    const begin = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/data/query`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ ruleAst, window: "all" }),
    })
    await answer.arrayBuffer()
    return { status: answer.status, ms: performance.now() - begin }
  }

  const rules = async () => {
    const end = new AbortController()
    const flood = Array.from({ length: rulesAtOnce }, async () => {
      while (!end.signal.aborted) await ask(ours.apiKey, heavy)
    })
    await setTimeout(2_000)
    const answers = []
    for (let each = 0; each < queryCount; each++) answers.push(await ask(theirs.apiKey, light))
    end.abort()
    await Promise.all(flood)
    const failed = answers.filter(({ status }) => status !== 200).length
    return row(
      `longest of ${queryCount} queries (${failed} not answered 200) beside ${rulesAtOnce} heavy rules of another organization`,
      Math.max(...answers.map(({ ms }) => ms)),
    )
  }

  const importing = (token: string) => {
    const sending = request(`http://127.0.0.1:${port}/v1/admin/import/people`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    })
    sending.on("error", () => undefined)
    return sending
  }
  const imports = async () => {
    const tokens = []
    for (const { organizationId } of [ours, theirs, third]) {
      tokens.push(await ownerOf(client, organizationId, environment))
    }
    const drips = tokens.slice(0, 2).map((token) => {
      const sending = importing(token)
      sending.write("\n")
      return setInterval(() => sending.write(" "), 1_000)
    })
    await setTimeout(2_000)
    const begin = performance.now()
    const sending = importing(tokens[2]!)
    sending.end(`{"email": "jane@third.example"}\n`)
    const answer = await Promise.race([
      once(sending, "response").then(([response]) => (response as IncomingMessage).statusCode),
      setTimeout(patienceMs, "no answer", { ref: false }),
    ])
    const ms = performance.now() - begin
    drips.forEach(clearInterval)
    sending.destroy()
    return row(`an import (${answer}) beside two that drip, of other organizations`, ms)
  }

  try {
    await ready(port, 0)
    return [await rules(), await imports()]
  } finally {
    await stop(server)
    await client.end()
    await postgres.drop("bench_neighbors")
  }
}

const row = (name: string, ms: number): Row => ({
  name: `neighbors: ${name}`,
  floor: "-",
  ours: `${(ms / 1_000).toFixed(2)} s`,
  ratio: ms / 1_000,
})

export const makeOrganization = async (client: pg.Client, slug: string) => {
  const organizationId = randomUUID()
  const key = makeApiKey()
  await client.query("insert into organization (id, name, slug) values ($1, $2, $2)", [
    organizationId,
    slug,
  ])
  await client.query(
    `insert into api_key (organization_id, id, name, prefix, last4, digest)
     values ($1, $2, 'Bench', 'sk_benc', 'bnch', $3)`,
    [organizationId, randomUUID(), apiKeyDigest(key)],
  )
  return { organizationId, apiKey: Redacted.value(key) }
}

/** Token of a new owner. */
export const ownerOf = async (
  client: pg.Client,
  organizationId: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> => {
  const userId = randomUUID()
  const email = `${userId}@footfall.example`
  await client.query("insert into user_account (id, email, name) values ($1, $2, 'Owner')", [
    userId,
    email,
  ])
  await client.query(
    "insert into member (organization_id, user_id, role) values ($1, $2, 'owner')",
    [organizationId, userId],
  )
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [serverBin, "token", "--email", email, "--json"],
    { env: { ...process.env, ...environment } },
  )
  return (JSON.parse(stdout) as { accessToken: string }).accessToken
}
