// Servers are killed with kill -9 while they sync suppression sources: of a file, a list and a service. Afterwards the rules of
// each source are exactly what it has, the rules of others are untouched, and each sync that changed something is audited
// once. FOOTFALL_SOAK=1 for the full number of kills.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { startBrevo } from "../destinations/connectors/doubles/brevo.ts"
import { random } from "../identification/simulation.ts"
import { isSoak } from "../soak/size.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { startServer, testSecret } from "../support/server.ts"
import { request as ask } from "../suppression/request.ts"

const kills = isSoak ? 20 : 4
const people = isSoak ? 60_000 : 24_000

afterAll(killLeftServers)

/** What a source has in a round: a third of the people change with each. */
const emailsOf = (name: string, round: number) =>
  Array.from({ length: people }, (_, at) =>
    at % 3 === 0 ? `${name}${at}r${round}@harbor.example` : `${name}${at}@harbor.example`,
  )

it("killed syncs leave the rules of each source as it has them, and others untouched", async () => {
  const api = await startServer({ allowPrivateWebhooks: true, workers: false })
  const data = (method: string, path: string, body?: unknown) =>
    ask(api, api, { method, path: `/v1/data${path}`, body })
  let round = 0
  const site = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/csv" })
    response.end(`email\n${emailsOf("file", round).join("\n")}\n`)
  })
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve))
  const double = await startBrevo()
  const atService = () => emailsOf("service", round).slice(0, 2_000)
  const setService = () => {
    for (const { email } of double.people()) double.forget!(email)
    for (const email of atService()) double.put(email, "on the list")
  }
  setService()
  const { accessToken } = await api.makeUser("member")
  const connected = await fetch(`${api.url}/v1/intent/integrations/accounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({
      appSlug: "brevo",
      credentials: { ...double.credentials, baseUrl: double.url },
    }),
  })
  const { data: made } = (await connected.json()) as {
    readonly data: { readonly account: { readonly id: string } }
  }
  const listId = (await data("POST", "/lists", { name: "Ours", subject: "people" })).data.id
  const setList = async () => {
    const all = emailsOf("list", round)
    await data("PUT", `/lists/${listId}/members`, { values: all })
  }
  await setList()
  const byHand = Array.from({ length: 200 }, (_, at) => `hand${at}@harbor.example`)
  // Half of them are also what a source has.
  const shared = emailsOf("file", 0)
    .filter((_, at) => at % 3 === 1)
    .slice(0, 100)
  await data("POST", "/suppression-rules", {
    rules: [...byHand, ...shared].map((value) => ({ type: "email", value })),
  })
  const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/customers.csv`
  const sources = {
    file: { kind: "url", types: ["email"], url: siteUrl },
    list: { kind: "list", listId },
    service: { kind: "brevo", connectedAccountId: made.account.id, listId: double.listId },
  }
  const ids = new Map<string, string>()
  for (const [name, source] of Object.entries(sources)) {
    ids.set(name, (await data("POST", "/suppression-sources", { name, ...source })).data.id)
  }
  const home = await makeServerHome({
    DATABASE_URL: api.databaseUrl,
    FOOTFALL_SECRET: testSecret,
    ALLOW_PRIVATE_WEBHOOKS: "on",
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
  })
  const has = {
    file: () => emailsOf("file", round),
    list: () => emailsOf("list", round),
    service: atService,
  }
  const isSynced = async () => {
    for (const [name, id] of ids) {
      const rows = await api.sql(
        `select count(*)::int as rules,
           count(*) filter (where value like '%r' || $2 || '@%')::int as recent
         from suppression_source_rule where source_id = $1`,
        [id, round],
      )
      const all = has[name as keyof typeof has]()
      const recent = all.filter((email) => email.includes(`r${round}@`)).length
      if (rows[0]!["rules"] !== all.length || rows[0]!["recent"] !== recent) return false
    }
    return true
  }
  const below = random(31)
  for (; round < kills; round++) {
    setService()
    await setList()
    for (const id of ids.values()) await data("POST", `/suppression-sources/${id}/sync`)
    const server = await ServerProcess.start(home)
    await sleep(below(2_500))
    await server.kill()
  }
  round--
  const last = await ServerProcess.start(home)
  // A lost lease ends after 30 seconds.
  await expect.poll(isSynced, { timeout: 120_000, interval: 500 }).toBe(true)
  await last.stop()

  for (const [name, id] of ids) {
    const noted = await api.sql("select value from suppression_source_rule where source_id = $1", [
      id,
    ])
    const expected = has[name as keyof typeof has]().toSorted()
    expect(noted.map(({ value }) => value as string).toSorted()).toEqual(expected)
    const inForce = await api.sql(
      `select value from suppression_rule
       where organization_id = $1 and origin_id = $2 and removed_at is null`,
      [api.organizationId, id],
    )
    const ownedByHand = new Set(shared)
    expect(inForce.map(({ value }) => value as string).toSorted()).toEqual(
      expected.filter((email) => !ownedByHand.has(email)),
    )
    // A sync that was killed before its end has no entry: each one that there is made the rules another round's.
    const audited = await api.sql(
      "select count(*)::int as entries from audit_entry where action = 'suppression_source.synced' and target_id = $1",
      [id],
    )
    expect(audited[0]!["entries"]).toBeGreaterThanOrEqual(1)
    expect(audited[0]!["entries"]).toBeLessThanOrEqual(kills)
  }
  const kept = await api.sql(
    `select count(*)::int as rules from suppression_rule
     where organization_id = $1 and removed_at is null and value = any ($2)`,
    [api.organizationId, [...byHand, ...shared]],
  )
  expect(kept).toEqual([{ rules: byHand.length + shared.length }])
  const stored = await api.sql(
    `select count(*)::int as rules, (select email from suppression_list where organization_id = $1) as counted
     from suppression_rule where organization_id = $1 and removed_at is null`,
    [api.organizationId],
  )
  expect(stored[0]!["counted"]).toBe(stored[0]!["rules"])
  expect(
    await api.sql(
      "select from staged_import where kind = 'source' and ended_at is null and expires_at < now()",
    ),
  ).toEqual([])
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  await double.close()
  await api.close()
}, 300_000)
