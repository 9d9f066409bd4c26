// Two replicas on one Postgres, as in docs/operations/scale-out.md: one answers without workers, one has workers. They
// share only the database.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { domain, startServer, type TestServer } from "../support/server.ts"

let answering: TestServer
let working: TestServer
beforeAll(async () => {
  answering = await startServer({ workers: false })
  working = await startServer({ beside: answering, workers: true })
})
afterAll(async () => {
  await working.close()
  await answering.close()
})

test("one server processes what the other collects, and both return it", async () => {
  const now = new Date().toISOString()
  const url = `https://${domain}/pricing`
  const email = "jane@harbor.example"
  const events = [
    { id: randomUUID(), type: "page", time: now, url },
    { id: randomUUID(), type: "identify", time: now, url, email },
  ]
  const anonymousId = randomUUID()
  await answering.collect({ v: 1, sentAt: now, anonymousId, consent: "granted", events })
  await answering.drain()

  for (const replica of [answering, working]) {
    const found = await replica.get("/v1/data")
    expect(found.status).toBe(200)
    expect(await found.text()).toContain(email)
  }
})

test("a key revoked on one server is rejected by both", async () => {
  await answering.sql("update api_key set revoked_at = now() where id = $1", [answering.apiKeyId])

  await expect
    .poll(async () => (await answering.get("/v1/data")).status, { timeout: 30_000 })
    .toBe(401)
  await expect
    .poll(async () => (await working.get("/v1/data")).status, { timeout: 30_000 })
    .toBe(401)
})
