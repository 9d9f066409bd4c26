// While Postgres is silent, requests are kept on the disk, checked as ever, and replayed once it is back (spec 15.3.5).
import { access, mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest"
import { startHalfOpenProxy, type HalfOpenProxy } from "../support/half-open-proxy.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { makeVendor, person } from "./vendor.ts"

/** Not behind the proxy. */
let direct: TestServer
let proxy: HalfOpenProxy
let server: TestServer
let vendor: Awaited<ReturnType<typeof makeVendor>>
let signed: Awaited<ReturnType<typeof makeVendor>>

/** To the server behind the proxy. */
const send = (url: string, body: unknown) =>
  fetch(url.replace(direct.url, server.url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
const status = async (url: string, body: unknown) => (await send(url, body)).status

beforeAll(async () => {
  direct = await startServer()
  vendor = await makeVendor(direct)
  signed = await makeVendor(direct, { preset: "tally", signingSecret: "s" })
  proxy = await startHalfOpenProxy(direct.databaseUrl)
  const dataDir = join(await mkdtemp(join(inject("temporaryDirectory"), "spool-")), "data")
  server = await startServer({ databaseUrl: proxy.url, dataDir, workers: false })
  // What it needs without Postgres is on its disk.
  await vi.waitFor(() => access(join(dataDir, "inbound", "sources")), { timeout: 30_000 })
})
afterAll(async () => {
  proxy.thaw()
  await server.close()
  await proxy.close()
  await direct.close()
})

it("loses nothing, takes each once, and checks tokens and signatures meanwhile", async () => {
  expect(await status(vendor.url, person())).toBe(200)
  proxy.freeze()
  const records = Array.from({ length: 30 }, () => person())
  const statuses = await Promise.all(records.map((record) => status(vendor.url, record)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await status(vendor.url, records[0])).toBe(200)
  expect(await status(vendor.url.replace(/.{3}$/, "AAA"), person())).toBe(404)
  expect(await status(signed.url, {})).toBe(401)
  expect(await vendor.outcomes()).toEqual({ person: 1 })

  // Someone is suppressed before the replay.
  await vendor.ask("POST", "/v1/data/suppression-rules", {
    rules: [{ type: "email", value: records[3]!["Business Email"] }],
  })
  proxy.thaw()
  await expect
    .poll(() => vendor.outcomes(), { timeout: 60_000, interval: 200 })
    .toEqual({ person: 30, dropped: 1, repeated: 1 })
}, 180_000)

it("records of a source that was deleted meanwhile are dropped", async () => {
  const gone = await makeVendor(direct, {}, vendor)
  await expect.poll(() => status(gone.url, []), { timeout: 30_000 }).toBe(200)
  proxy.freeze()
  expect(await status(gone.url, person())).toBe(200)
  await gone.ask("DELETE", gone.path)
  proxy.thaw()
  const file = await direct.sql("select from inbound_request where source_id = $1", [gone.id])
  expect(file).toEqual([])
  await expect.poll(() => status(vendor.url, person()), { timeout: 60_000 }).toBe(200)
}, 180_000)
