// An export that is read slowly, abandoned, or interrupted holds no transaction, and no memory that grows with the run.
// FOOTFALL_SOAK=1 for 1,000,000 rows.
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import pg from "pg"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { exportCsv, putRun, type PutRun, runPath } from "./support.ts"

const rows = process.env["FOOTFALL_SOAK"] === "1" ? 1_000_000 : 100_000

let server: TestServer
let run: PutRun
beforeAll(async () => {
  server = await startServer({ workers: false })
  run = await putRun(server, server)
  await server.sql(
    `insert into run_result (organization_id, run_id, position, hashed_email, first_name, headline,
       company_name, score, topic_overlap, matched_topics)
     select $1, $2, place, sha256(place::text::bytea), 'First ' || place, repeat('headline ', 10),
       'Company ' || place, 90, 1, array[1]
     from generate_series(1, ${rows}) as place`,
    [run.organizationId, run.runId],
  )
  await server.sql("update audience_run set result_count = $2 where id = $1", [run.runId, rows])
})
afterAll(() => server.close())

const open = async (): Promise<IncomingMessage> => {
  const request = get(`${server.url}/v1/intent/audiences${runPath(run)}/export.csv`, {
    headers: { "x-api-key": server.apiKey },
    agent: false,
  })
  const [response] = (await once(request, "response")) as [IncomingMessage]
  return response
}

/** The state of the export's own sessions. */
const sessions = () =>
  server.sql(
    `select state, xact_start is not null as "isInTransaction" from pg_stat_activity
     where application_name = 'footfall export' and datname = current_database()`,
  )

const rowsRead = async (): Promise<number> => {
  const [row] = await server.sql(
    "select idx_tup_read::int as read from pg_stat_user_indexes where indexrelname = 'run_result_pkey'",
  )
  return Number(row?.["read"])
}

/** Waits until no more rows are read, and returns their number so far. Statistics arrive late. */
const standstill = (): Promise<number> =>
  vi.waitFor(async () => {
    const before = await rowsRead()
    await wait(1_200)
    expect(await rowsRead()).toBe(before)
    return before
  }, 30_000)

/** Returns the bytes in use after garbage collection. */
const used = (): number => {
  setFlagsFromString("--expose-gc")
  ;(runInNewContext("gc") as () => void)()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}

it("a reader that stops reading holds no transaction, and the server stops reading too", async () => {
  const response = await open()
  const [first] = (await once(response, "data")) as [Buffer]
  response.pause()

  await vi.waitFor(async () => {
    const now = await sessions()
    expect(now.length).toBeGreaterThan(0)
    expect(now.every(({ isInTransaction, state }) => state === "idle" && !isInTransaction)).toBe(
      true,
    )
  }, 30_000)
  expect(await standstill()).toBeLessThan(rows / 2)
  let bytes = first.length
  response.on("data", (chunk: Buffer) => (bytes += chunk.length)).resume()
  await once(response, "end")
  expect(bytes).toBeGreaterThan(rows * 100)
})

it("an abandoned download leaves nothing behind after 5 seconds, and others continue", async () => {
  const responses = await Promise.all(Array.from({ length: 12 }, open))
  for (const response of responses) response.pause()

  for (const response of responses) response.destroy()

  await vi.waitFor(
    async () => {
      const now = await sessions()
      expect(now.length).toBeLessThanOrEqual(2)
      expect(now.every(({ state }) => state === "idle")).toBe(true)
    },
    { timeout: 5_000, interval: 50 },
  )
  const { text } = await exportCsv(server, run)
  expect(text.split("\r\n")).toHaveLength(rows + 2)
})

it("memory does not grow with the run while readers are slow", async () => {
  const before = used()

  const responses = await Promise.all(Array.from({ length: 8 }, open))
  for (const response of responses) response.pause()
  await standstill()
  const grown = used() - before

  for (const response of responses) response.destroy()
  // Both ends are in this process: each reader may hold a few parts and the buffers of two sockets.
  expect(grown / 1_048_576).toBeLessThan(64)
})

it("an export that the database interrupts continues; one that cannot finish is not a complete response", async () => {
  const admin = new pg.Client({ connectionString: server.databaseUrl })
  await admin.connect()
  const cut = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'footfall export' and datname = current_database()`,
    )
  const response = await open()
  await once(response, "data")
  response.pause()
  await cut()
  let length = 0
  response.on("data", (chunk: Buffer) => (length += chunk.length)).resume()
  await once(response, "end")
  expect(length).toBeGreaterThan(rows * 100)

  const second = await open()
  await once(second, "data")
  second.pause()
  await server.sql("alter table run_result rename to run_result_away")
  const ended = new Promise<string>((resolve) => {
    second.on("end", () => resolve("whole"))
    second.on("error", () => resolve("broken off"))
  })
  second.resume()

  expect(await ended).toBe("broken off")
  await server.sql("alter table run_result_away rename to run_result")
  await admin.end()
})
