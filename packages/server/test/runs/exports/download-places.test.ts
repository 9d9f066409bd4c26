// Concurrent downloads of exports are limited, in total and per party, and a place is free again as soon as its
// reader is done or has left.
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import {
  downloadsMax,
  downloadsPerPartyMax,
} from "../../../src/intent/runs/exports/download-places.ts"
import { startServer, type TestOrganization, type TestServer } from "../../support/server.ts"
import { putRun, runPath } from "./support.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

/** The path of the CSV of a run that is too large to be buffered without a reader. */
const largeRun = async (organization: Pick<TestOrganization, "organizationId">) => {
  const run = await putRun(server, organization)
  await server.sql(
    `insert into run_result (organization_id, run_id, position, hashed_email, headline, score,
       topic_overlap, matched_topics)
     select $1, $2, place, sha256(place::text::bytea), repeat('headline ', 50), 90, 1, array[1]
     from generate_series(1, 30000) as place`,
    [run.organizationId, run.runId],
  )
  await server.sql("update audience_run set result_count = 30000 where id = $1", [run.runId])
  return `${server.url}/v1/intent/audiences${runPath(run)}/export.csv`
}

const open = async (url: string, apiKey: string): Promise<IncomingMessage> => {
  const request = get(url, { headers: { "x-api-key": apiKey }, agent: false })
  const [response] = (await once(request, "response")) as [IncomingMessage]
  response.on("error", () => undefined)
  return response
}

it("an organization at its limit gets 503 with Retry-After, and another one has its own places", async () => {
  const other = await server.makeOrganization()
  const [ours, theirs] = [await largeRun(server), await largeRun(other)]
  const held = await Promise.all(
    Array.from({ length: downloadsPerPartyMax }, () => open(ours, server.apiKey)),
  )

  const next = await open(ours, server.apiKey)
  const foreign = await open(theirs, other.apiKey)

  expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200))
  expect([next.statusCode, next.headers["retry-after"]]).toEqual([503, "5"])
  expect(foreign.statusCode).toBe(200)
  for (const response of [next, foreign, ...held.slice(1)]) response.destroy()
  const again = async () => {
    const response = await open(ours, server.apiKey)
    response.destroy()
    return response.statusCode
  }
  await expect.poll(again).toBe(200)
  // A reader who reads to the end also frees its place.
  let bytes = 0
  for await (const chunk of held[0]!) bytes += (chunk as Buffer).length
  expect(bytes).toBeGreaterThan(10_000_000)
  const all = await Promise.all(
    Array.from({ length: downloadsPerPartyMax }, () => open(ours, server.apiKey)),
  )
  for (const response of all) response.destroy()
  expect(all.map(({ statusCode }) => statusCode)).toEqual(all.map(() => 200))
})

it("the organizations of one creator share the places of one", async () => {
  const { userId } = await server.makeUser("owner")
  const [first, second] = [await server.makeOrganization(), await server.makeOrganization()]
  await server.sql("update organization set created_by = $1 where id = any ($2)", [
    userId,
    [first.organizationId, second.organizationId],
  ])
  const [ours, also] = [await largeRun(first), await largeRun(second)]
  const held = await Promise.all(
    Array.from({ length: downloadsPerPartyMax }, () => open(ours, first.apiKey)),
  )

  const next = await open(also, second.apiKey)

  for (const response of [next, ...held]) response.destroy()
  expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200))
  expect(next.statusCode).toBe(503)
})

it("readers that take nothing, from enough organizations to fill all places, lock no one out", async () => {
  const holders = await Promise.all(
    Array.from({ length: downloadsMax / downloadsPerPartyMax }, () => server.makeOrganization()),
  )
  const held: Array<IncomingMessage> = []
  for (const holder of holders) {
    const url = await largeRun(holder)
    const openOne = () => open(url, holder.apiKey)
    held.push(...(await Promise.all(Array.from({ length: downloadsPerPartyMax }, openOne))))
  }
  expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200))
  const newcomer = await server.makeOrganization()

  const url = await largeRun(newcomer)
  // It is 503 until two seconds have shown that the other readers take nothing.
  const answer = await vi.waitFor(async () => {
    const response = await open(url, newcomer.apiKey)
    expect(response.statusCode).toBe(200)
    return response
  }, 30_000)

  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  expect(bytes).toBeGreaterThan(10_000_000)
  for (const response of held) response.destroy()
})
