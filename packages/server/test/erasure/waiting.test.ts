// Erasures of an organization wait for one another in the process, not with connections of the database that other
// organizations need (spec 10.4.1).
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { request as ask } from "../suppression/request.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
  tenant = await server.makeOrganization()
})
afterAll(() => server.close())

it("erasures that wait for a turn leave the connections of the database to other organizations", async () => {
  const other = new pg.Client({ connectionString: server.databaseUrl })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query("select pg_advisory_lock($1, hashtext($2))", [
    advisoryLocks.organizationTurn,
    tenant.organizationId,
  ])

  const erasures = Array.from({ length: 14 }, (_, n) =>
    ask(server, tenant, {
      method: "DELETE",
      path: `/v1/data/visitors/${hashEmail(`p${n}@acme.example`).sha256}`,
    }),
  )
  // More erasures than the pool has connections.
  await pause(1_000)
  const waiting = await server.sql(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  const neighbor = await server.makeOrganization()
  const answer = await ask(server, neighbor, { method: "GET", path: "/v1/data" })
  await other.end()

  expect(waiting).toHaveLength(1)
  expect(answer.status).toBe(200)
  // The server knows none of them.
  expect((await Promise.all(erasures)).map(({ status }) => status)).toEqual(erasures.map(() => 404))
})
