// A server is killed with kill -9 while it replaces a list of suppression rules: the stored list is the old or the new
// one, and its counts match it. FOOTFALL_SOAK=1 for the full number of kills.
import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, it } from "vitest"
import { random } from "../identification/simulation.ts"
import { testDatabaseUrl } from "../support/database.ts"
import {
  killLeftServers,
  makeServerHome,
  runCommand,
  ServerProcess,
} from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"

const kills = process.env["FOOTFALL_SOAK"] === "1" ? 20 : 3
const rulesPerList = 8_000

afterAll(killLeftServers)

const listOf = (name: string) =>
  Array.from({ length: rulesPerList }, (_, n) => ({
    type: n % 3 === 0 ? "email" : "domain",
    // A third of each list is also in the next one.
    value:
      n % 3 === 1
        ? `kept${n}.example`
        : n % 3 === 0
          ? `p${n}@${name}.example`
          : `h${n}.${name}.example`,
  }))

const digestOf = (rules: ReadonlyArray<string>) =>
  createHash("sha256").update(rules.toSorted().join("\n")).digest("hex")

it("a killed replacement leaves the old list or the new one, with its counts", async () => {
  const database = await testDatabaseUrl()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  // A connection that is closing when the database is dropped reports that.
  pool.on("connect", (client) => client.on("error", () => undefined))
  const home = await makeServerHome({
    DATABASE_URL: database.url,
    FOOTFALL_SECRET: testSecret,
    RATE_LIMITS: "off",
  })
  const init = ["init", "--organization", "Tidewater", "--email", "owner@tidewater.example"]
  const { stdout } = await runCommand(home, "footfall-server", ...init, "--json")
  const { apiKey } = JSON.parse(stdout) as { readonly apiKey: string }
  const replace = (name: string) =>
    fetch(`http://127.0.0.1:${home.port}/v1/data/suppression-rules`, {
      method: "PUT",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ rules: listOf(name) }),
    })
  const stored = async () => {
    const { rows } = await pool.query<{ rule: string }>(
      "select type || ' ' || value as rule from suppression_rule where removed_at is null",
    )
    const { rows: counts } = await pool.query<{ email: number; domain: number }>(
      "select email, domain from suppression_list",
    )
    const emails = rows.filter(({ rule }) => rule.startsWith("email")).length
    expect(counts).toEqual([{ email: emails, domain: rows.length - emails }])
    return digestOf(rows.map(({ rule }) => rule))
  }
  const expected = (name: string) =>
    digestOf(listOf(name).map(({ type, value }) => `${type} ${value}`))

  let server = await ServerProcess.start(home)
  const begin = performance.now()
  await (await replace("first")).arrayBuffer()
  const requestMs = performance.now() - begin
  let present = "first"
  const outcomes = { old: 0, new: 0 }
  const below = random(29)
  for (let kill = 0; kill < kills; kill++) {
    const next = `list${kill}`
    const answer = replace(next).catch(() => undefined)
    // At random, once in each share of the time.
    await sleep(((kill + below(1000) / 1000) / kills) * requestMs * 1.2)
    await server.kill()
    await answer
    // Waits for what Postgres was still doing for the dead server.
    await pool.query("select from suppression_list for update")

    const digest = await stored()
    expect([expected(present), expected(next)]).toContain(digest)
    const isNew = digest === expected(next)
    outcomes[isNew ? "new" : "old"] += 1
    if (isNew) present = next
    server = await ServerProcess.start(home)
  }

  expect(outcomes.old).toBeGreaterThan(0)
  await (await replace("last")).arrayBuffer()
  expect(await stored()).toBe(expected("last"))
  await server.stop()
  await pool.end()
  await database.drop()
}, 240_000)
