// What a company's activity and topics, and a breakdown, answer after ten seconds (spec 5.19.1, 13.3.10, 13.3.11).
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { settle, someone } from "../visitors/query/scene.ts"

let server: TestServer

const reader = someone([Date.now() - 3_600_000])

beforeAll(async () => {
  server = await startServer({ workers: false })
  await settle(server, server, [reader])
  await server.sql("update company set domain = 'quay.example' where domain = $1", [reader.id])
  await server.sql("update visitor set company_key = 'quay.example' where id = $1", [reader.id])
})

afterAll(() => server.close())

const ask = async (path: string) => {
  const response = await server.get(path)
  const body = (await response.json()) as {
    readonly error?: { readonly code: string; readonly details: unknown; readonly message: string }
  }
  return { status: response.status, error: body.error }
}

const paths = [
  "/v1/data/companies/quay.example/activity",
  "/v1/data/companies/quay.example/topics",
  "/v1/data/overview/breakdown?by=page",
]

it("each is QUERY_TOO_SLOW after ten seconds, and answers again when its statement is fast", async () => {
  // Waiting for a lock would end earlier.
  for (const table of ["session", "visitor_topic_basis"]) {
    await server.sql(`alter table ${table} rename to ${table}_kept`)
    await server.sql(
      `create view ${table} as
         select kept.* from ${table}_kept as kept cross join (select pg_sleep(11) offset 0) as wait`,
    )
  }
  const slow = await Promise.all(paths.map(ask))
  for (const table of ["session", "visitor_topic_basis"]) {
    await server.sql(`drop view ${table}; alter table ${table}_kept rename to ${table}`)
  }

  expect(slow).toEqual(
    paths.map(() => ({
      status: 422,
      error: expect.objectContaining({ code: "QUERY_TOO_SLOW", details: { seconds: 10 } }),
    })),
  )
  for (const path of paths) expect((await ask(path)).status).toBe(200)
})
