// What a client and the log see when the server itself fails (spec 1.3 and 9).
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
beforeEach(async () => {
  server = await startServer({ workers: false })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

/** Every line logged from now on, parsed. */
const watchLog = (): ReadonlyArray<Record<string, unknown>> => {
  const lines: Array<Record<string, unknown>> = []
  vi.spyOn(console, "error").mockImplementation((line: string) => {
    lines.push(JSON.parse(line))
  })
  return lines
}

describe("a defect", () => {
  it("is 500 INTERNAL_ERROR without internals, logged once under the request id", async () => {
    await server.sql("alter table pixel drop column settings")
    const log = watchLog()

    const response = await server.get("/v1/data/pixels")
    const text = await response.text()

    const id = response.headers.get("x-request-id")
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toEqual({
      error: {
        code: "INTERNAL_ERROR",
        message:
          "Something went wrong on the server. To find the details, search the server's log for this request id.",
      },
      meta: { timestamp: expect.any(String), request_id: id },
    })
    const logged = log.filter(({ level }) => level === "ERROR")
    expect(logged).toHaveLength(1)
    expect(logged[0]).toMatchObject({ annotations: { request_id: id } })
    expect(JSON.stringify(logged)).toContain("settings")
    expect(JSON.stringify(log)).not.toContain(server.apiKey)
  })

  it("does not end the server", async () => {
    watchLog()
    await server.sql("alter table pixel rename column settings to other")
    expect((await server.get("/v1/data/pixels")).status).toBe(500)
    await server.sql("alter table pixel rename column other to settings")

    expect((await server.get("/v1/data/pixels")).status).toBe(200)
  })
})

describe("while the database is down", () => {
  /** A database that accepts no connections behaves like one that is down, and can come back. */
  const setAway = async (isAway: boolean) => {
    const { pathname } = new URL(server.databaseUrl)
    const beside = new pg.Client(server.databaseUrl.replace(pathname, "/postgres"))
    await beside.connect()
    const name = pathname.slice(1)
    await beside.query(`alter database ${name} with allow_connections ${!isAway}`)
    if (isAway) {
      await beside.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
        [name],
      )
    }
    await beside.end()
  }

  it("requests are 503 with Retry-After, and succeed once it is back", async () => {
    watchLog()
    // The key is cached, so the request reaches the handler in both cases.
    expect((await server.get("/v1/data/pixels")).status).toBe(200)
    await setAway(true)

    // The first may use a connection that was cut. The next ones are refused a new connection.
    for (let count = 0; count < 3; count++) {
      expect((await server.get("/v1/data/pixels")).status).toBe(503)
    }
    const response = await server.get("/v1/data/pixels")
    const ready = await fetch(`${server.url}/readyz`)
    const healthy = await fetch(`${server.url}/healthz`)

    expect(await response.json()).toMatchObject({
      error: { code: "SERVICE_UNAVAILABLE" },
      meta: { request_id: response.headers.get("x-request-id") },
    })
    expect(response.status).toBe(503)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
    expect(ready.headers.get("retry-after")).toBe("1")
    expect(healthy.status).toBe(200)

    await setAway(false)
    await vi.waitFor(async () => expect((await server.get("/v1/data/pixels")).status).toBe(200), {
      timeout: 30_000,
    })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it("an interrupted statement is 503", async () => {
    watchLog()
    await server.get("/v1/data/pixels")
    const beside = new pg.Client(server.databaseUrl)
    await beside.connect()
    await beside.query("begin; lock table pixel in access exclusive mode")
    const waiting = server.get("/v1/data/pixels")
    await vi.waitFor(
      async () => {
        const { rowCount } = await beside.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rowCount).toBe(1)
      },
      { timeout: 30_000 },
    )
    const response = await waiting
    await beside.end()

    expect(response.status).toBe(503)
  })

  it("collect is 503 with Retry-After in the envelope, readable from every origin", async () => {
    watchLog()
    await setAway(true)

    const response = await server.collect({ v: 1 })
    await setAway(false)

    expect(response.status).toBe(503)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    expect(await response.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
  })
})

it.each([
  ["a full disk", "could not extend file: No space left on device", "53100"],
  ["a read-only database", "cannot execute INSERT in a read-only transaction", "25006"],
])("%s is 503 with Retry-After, and succeeds later", async (_, message, code) => {
  const log = watchLog()
  await server.sql(`create function refuse() returns trigger language plpgsql as $$
    begin raise '${message}' using errcode = '${code}'; end $$`)
  await server.sql("create trigger refusal before insert on pixel execute function refuse()")
  const add = () =>
    fetch(`${server.url}/v1/data/pixels`, {
      method: "POST",
      headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
      body: `{"domain": "harbor-${code}.example"}`,
    })

  const response = await add()
  expect(response.status).toBe(503)
  expect(response.headers.get("retry-after")).toBe("1")
  expect(await response.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
  expect(JSON.stringify(log)).toContain(message)

  await server.sql("drop function refuse cascade")
  expect((await add()).status).toBe(201)
})
