// Writes to suppression rules wait for one another in the process, not with connections of the database that other
// organizations need (spec 10.4.1).
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { request as ask, rulesPath } from "./request.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
  tenant = await server.makeOrganization()
})
afterAll(() => server.close())

const write = (method: string, body: unknown) =>
  ask(server, tenant, { method, path: rulesPath, body })
const rule = (name: string) => ({ type: "email", value: `${name}@tidewater.example` })

it("writes that wait for a long one leave the connections of the database to other organizations", async () => {
  await write("POST", { rules: [rule("first")] })
  const other = new pg.Client({ connectionString: server.databaseUrl })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query("begin")
  await other.query("select from suppression_list where organization_id = $1 for update", [
    tenant.organizationId,
  ])

  const writes = [
    ...Array.from({ length: 12 }, (_, n) => write("POST", { rules: [rule(`added${n}`)] })),
    ...Array.from({ length: 6 }, (_, n) => write("DELETE", { rules: [rule(`never${n}`)] })),
  ]
  // More writes than the pool has connections.
  await pause(1_000)
  const waiting = await server.sql(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  const neighbor = await server.makeOrganization()
  const answer = await ask(server, neighbor, { method: "GET", path: rulesPath })
  await other.query("commit")

  expect(waiting).toHaveLength(1)
  expect(answer.status).toBe(200)
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200))
  const { data } = await ask(server, tenant, { method: "GET", path: rulesPath })
  expect(data.total).toBe(13)
})
