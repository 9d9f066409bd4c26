// While Postgres is silent, requests are kept on the disk, checked as ever, and replayed once it is back (spec 15.3.5).
import { access, mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest"
import { startHalfOpenProxy, type HalfOpenProxy } from "../support/half-open-proxy.ts"
import { spoolState } from "../../src/collect/inbound/spool/files.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { makeVendor, person } from "./vendor.ts"

/** Not behind the proxy. */
let direct: TestServer
let proxy: HalfOpenProxy
let server: TestServer
let dataDir: string
let vendor: Awaited<ReturnType<typeof makeVendor>>
let signed: Awaited<ReturnType<typeof makeVendor>>
/** Others of the same organization. The server behind the proxy knows all sources from its start. */
let others: ReadonlyArray<Awaited<ReturnType<typeof makeVendor>>>

/** More than the other tests send. */
const perMinute = 100

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
  others = await Promise.all(Array.from({ length: 5 }, () => makeVendor(direct, {}, vendor)))
  proxy = await startHalfOpenProxy(direct.databaseUrl)
  dataDir = join(await mkdtemp(join(inject("temporaryDirectory"), "spool-")), "data")
  server = await startServer({
    databaseUrl: proxy.url,
    dataDir,
    workers: false,
    rateLimits: true,
    inboundPerMinute: perMinute,
  })
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

it("records of a source that was deleted meanwhile are dropped and counted", async () => {
  const gone = others[0]!
  proxy.freeze()
  expect(await status(gone.url, person())).toBe(200)
  await gone.ask("DELETE", gone.path)
  proxy.thaw()
  const file = await direct.sql("select from inbound_request where source_id = $1", [gone.id])
  expect(file).toEqual([])
  await expect.poll(() => status(vendor.url, person()), { timeout: 60_000 }).toBe(200)
  const seen = async () => (await fetch(`${server.url}/metrics`)).text()
  await expect
    .poll(seen, { timeout: 60_000 })
    .toMatch(/footfall_inbound_replayed\w*\{[^}]*outcome="gone"[^}]*\} 1/)
  expect(await spoolState(join(dataDir, "inbound", "spool"))).toMatchObject({ setAside: 0 })
}, 180_000)

it("the limit of a source holds meanwhile, and no other source is held", async () => {
  const limited = others[1]!
  proxy.freeze()
  const replies = await Promise.all(
    Array.from({ length: perMinute + 5 }, () => send(limited.url, [])),
  )
  const refused = replies.filter((reply) => reply.status === 429)
  expect(refused).toHaveLength(5)
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await status(vendor.url, [])).toBe(200)
  proxy.thaw()
}, 180_000)

it("a full disk of Postgres sets nothing aside, a request that Postgres refuses is, and neither holds others", async () => {
  const [full, bad, fine] = [others[2]!, others[3]!, others[4]!]
  await direct.sql(`create function refuse() returns trigger language plpgsql as $$
    begin
      if new.source_id = '${full.id}' then raise exception 'no space' using errcode = '53100'; end if;
      if new.records = 7 then raise exception 'no text' using errcode = '22P05'; end if;
      return new;
    end $$`)
  await direct.sql(
    "create trigger refuse before insert on inbound_request for each row execute function refuse()",
  )
  proxy.freeze()
  const refused = Array.from({ length: 7 }, () => person())
  const statuses = await Promise.all([
    status(full.url, person()),
    status(bad.url, refused),
    status(bad.url, person()),
    status(fine.url, person()),
  ])
  expect(statuses).toEqual([200, 200, 200, 200])
  proxy.thaw()

  const state = () => spoolState(join(dataDir, "inbound", "spool"))
  await expect.poll(state, { timeout: 60_000 }).toMatchObject({ setAside: 1 })
  await expect.poll(() => bad.outcomes(), { timeout: 60_000 }).toEqual({ person: 1 })
  await expect.poll(() => fine.outcomes(), { timeout: 60_000 }).toEqual({ person: 1 })
  expect(await full.outcomes()).toEqual({})

  await direct.sql("drop trigger refuse on inbound_request")
  await expect.poll(() => full.outcomes(), { timeout: 60_000 }).toEqual({ person: 1 })
  await expect.poll(state, { timeout: 60_000 }).toMatchObject({ entries: 0, setAside: 1 })
}, 180_000)
