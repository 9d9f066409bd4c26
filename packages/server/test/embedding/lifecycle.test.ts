// Starting, stopping and running side by side in one process.
import { Footfall } from "@footfall/sdk"
import { expect, it, onTestFinished, vi } from "vitest"
import { createFootfall, type LogEntry } from "../../src/app/index.ts"
import { isSoak } from "../soak/size.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

const starts = isSoak ? 100 : 20

const optionsFor = (server: TestServer) => ({
  databaseUrl: server.databaseUrl,
  secret: testSecret,
  baseUrl: server.url,
  rateLimits: false,
  migrate: false,
  logger: () => {},
})

const connectionsOf = async (server: TestServer): Promise<number> => {
  const [row] = await server.sql(
    "select count(*)::int as open from pg_stat_activity where datname = current_database()",
  )
  return Number(row?.["open"])
}

/** Timers and sockets that keep the process alive. */
const resources = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => name === "Timeout" || name === "TCPSocketWrap" || name === "PipeWrap").length

const listeners = () =>
  process.eventNames().reduce((all, name) => all + process.listenerCount(name), 0)

it("starting and stopping repeatedly leaves no connection, timer or listener behind", async () => {
  const server = await startServer({ workers: false })
  const once = async () => {
    const footfall = await createFootfall(optionsFor(server))
    await footfall.fetch(new Request("http://host/readyz"))
    await footfall.close()
  }
  await once()
  const before = {
    connections: await connectionsOf(server),
    resources: resources(),
    listeners: listeners(),
  }

  for (let start = 0; start < starts; start++) await once()

  await expect.poll(() => connectionsOf(server)).toBeLessThanOrEqual(before.connections)
  await expect.poll(resources).toBeLessThanOrEqual(before.resources + 2)
  expect(listeners()).toBe(before.listeners)
  await server.close()
})

it("every start reads the current environment", async () => {
  const server = await startServer({ workers: false })
  onTestFinished(() => server.close())
  vi.stubEnv("STORE_IP", "perhaps")
  await expect(createFootfall(optionsFor(server))).rejects.toThrow("STORE_IP: expected")

  vi.stubEnv("STORE_IP", "full")
  const footfall = await createFootfall({ ...optionsFor(server), workers: false })
  await footfall.close()
  vi.unstubAllEnvs()
})

it("two instances in one process share nothing", async () => {
  const [one, other] = await Promise.all([startServer(), startServer()])
  const mixed = new Footfall({ apiKey: one.apiKey, fetch: other.embedded.fetch })

  await expect(mixed.pixels.list()).rejects.toMatchObject({ code: "AUTHENTICATION_ERROR" })
  await one.close()

  expect(await other.sdk.pixels.list()).toHaveLength(1)
  await other.close()
})

it("workers are started and stopped in turn, once each", async () => {
  const server = await startServer({ workers: false })
  const footfall = await createFootfall({ ...optionsFor(server), workers: false })
  const event = {
    id: crypto.randomUUID(),
    type: "page",
    time: new Date().toISOString(),
    url: "https://tidewater.example/",
    referrer: null,
    title: null,
  }
  const visit = () =>
    server.collect({
      v: 1,
      sentAt: new Date().toISOString(),
      anonymousId: crypto.randomUUID(),
      consent: "granted",
      events: [{ ...event, id: crypto.randomUUID() }],
    })
  const waiting = async () => (await server.sql("select 1 from event_inbox")).length

  await visit()
  expect(await waiting()).toBe(1)
  await Promise.all([footfall.workers.start(), footfall.workers.start()])
  await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
  await footfall.workers.stop()
  await footfall.workers.stop()
  await visit()
  expect(await waiting()).toBe(1)
  await footfall.workers.start()
  await expect.poll(waiting, { timeout: 30_000 }).toBe(0)

  await footfall.close()
  await server.close()
})

it("the application's logger gets each line of standard error", async () => {
  const server = await startServer({ workers: false })
  const entries: Array<LogEntry> = []
  const footfall = await createFootfall({
    ...optionsFor(server),
    workers: false,
    logger: (entry) => void entries.push(entry),
  })
  await server.sql("alter table pixel rename to pixel_gone")

  const response = await footfall.fetch(
    new Request("http://host/v1/data/pixels", { headers: { "x-api-key": server.apiKey } }),
  )

  const { meta } = (await response.json()) as { meta: { request_id: string } }
  expect(response.status).toBe(500)
  expect(entries).toContainEqual(
    expect.objectContaining({
      level: "ERROR",
      annotations: expect.objectContaining({ request_id: meta.request_id }),
      cause: expect.stringContaining("pixel"),
    }),
  )
  await footfall.close()
  await server.close()
})
