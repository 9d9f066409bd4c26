// The operator's commands, each as a process (spec 1.1).
import { type AddressInfo, connect, type Socket } from "node:net"
import { once } from "node:events"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { testDatabaseUrl } from "../support/database.ts"
import { testSecret } from "../support/server.ts"
import { type Environment, run, type Running, start } from "./command.ts"

const databases: Array<Awaited<ReturnType<typeof testDatabaseUrl>>> = []
/** An environment with a new database, which has no organization. */
const newDatabase = async (): Promise<Environment> => {
  const database = await testDatabaseUrl()
  databases.push(database)
  return { DATABASE_URL: database.url, FOOTFALL_SECRET: testSecret, HOST: "127.0.0.1" }
}

/** Shared by all tests that create no organization. */
let shared: Environment
let servers: Array<Running> = []

beforeAll(async () => {
  shared = await newDatabase()
})
afterEach(async () => {
  for (const { child, ended } of servers) {
    child.kill("SIGKILL")
    await ended
  }
  servers = []
})
afterAll(async () => {
  for (const database of databases) await database.drop()
})

const initArguments = ["init", "--organization", "Tidewater", "--email", "owner@tidewater.example"]
const startServer = async (args: ReadonlyArray<string> = [], environment = shared) => {
  const server = await start(["--port", "0", ...args], environment)
  servers.push(server)
  return server
}
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const key = expect.stringMatching(/^sk_[0-9A-Za-z]{43}$/)

describe("init", () => {
  it("--json prints one document with the key and a generated password; a second call changes nothing and exits with 1", async () => {
    const environment = await newDatabase()
    const first = await run([...initArguments, "--json"], environment)
    const second = await run([...initArguments, "--json"], environment)
    const keys = await run(["keys", "list", "--json"], environment)

    expect(first).toMatchObject({ code: 0, stderr: "" })
    const made = JSON.parse(first.stdout)
    expect(made).toEqual({
      organizationId: uuid,
      apiKey: key,
      owner: {
        email: "owner@tidewater.example",
        password: expect.stringMatching(/^[A-Za-z0-9_-]{20}$/),
      },
      starterTopics: 0,
    })
    expect(second).toMatchObject({ code: 1, stdout: "" })
    expect(JSON.parse(second.stderr)).toEqual({
      error: {
        code: "AlreadyInstalled",
        message: expect.stringContaining(`Tidewater (${made.organizationId})`),
      },
    })
    expect(JSON.parse(keys.stdout).data).toHaveLength(1)
  })

  it("reads a password from standard input and does not show it", async () => {
    const environment = await newDatabase()
    const result = await run(
      [...initArguments, "--password-stdin"],
      environment,
      "hunter2hunter2\n",
    )

    expect(result.code).toBe(0)
    expect(result.stdout).toContain("shown only once")
    expect(result.stdout + result.stderr).not.toContain("hunter2")
  })

  it("--starter-topics loads the catalog that ships with the server, and loading it again changes nothing", async () => {
    const environment = await newDatabase()
    const made = await run([...initArguments, "--starter-topics", "--json"], environment)
    const again = await run(["starter-topics", "--json"], environment)

    const { starterTopics } = JSON.parse(made.stdout)
    expect(starterTopics).toBeGreaterThan(150)
    expect(JSON.parse(again.stdout)).toEqual({
      inserted: 0,
      updated: 0,
      unchanged: starterTopics,
      leftOut: 0,
    })
  })

  it("starter-topics keeps a topic with another name under the same id, and says so", async () => {
    const environment = await newDatabase()
    await run(initArguments, environment)
    const own = "topicId,topicName,type,industry,category\n1001,Tea,b2c,retail,groceries\n"
    await run(["import", "topics", "-", "--format", "csv"], environment, own)

    const loaded = await run(["starter-topics"], environment)

    expect(loaded.code).toBe(0)
    expect(loaded.stdout).toContain("1 skipped")
    expect(loaded.stdout).toContain("footfall pixels suggest-topics")
  })

  it("starter-topics without an organization says to create one", async () => {
    const refused = await run(["starter-topics"], shared)

    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toContain("footfall-server init")
  })

  it("rejects a password of 9 characters", async () => {
    const result = await run([...initArguments, "--password-stdin"], shared, "123456789\n")

    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: "footfall-server: Expected a password of 10 to 200 characters on standard input.\n",
    })
  })

  it.each([
    ["--organization", " "],
    ["--organization", "a".repeat(161)],
    ["--email", "owner"],
    ["--email", "a b@tidewater.example"],
  ])("with invalid usage exits with 2: %s %j", async (flag, value) => {
    const args = initArguments.map((arg, at) => (initArguments[at - 1] === flag ? value : arg))
    const result = await run(args, shared)

    expect(result).toMatchObject({ code: 2, stdout: "" })
    expect(result.stderr).toContain(flag)
  })
})

describe("keys", () => {
  it("create, list and revoke, and only create shows the secret", async () => {
    const environment = await newDatabase()
    const { organizationId } = JSON.parse(
      (await run([...initArguments, "--json"], environment)).stdout,
    )
    const name = ["--organization", organizationId, "--name", "Reports"]
    const created = await run(["keys", "create", ...name, "--json"], environment)
    const { apiKey, id } = JSON.parse(created.stdout)
    const revoked = await run(["keys", "revoke", id, "--json"], environment)
    const list = await run(["keys", "list", "--json"], environment)
    const words = await run(["keys", "list"], environment)

    expect({ apiKey, id }).toEqual({ apiKey: key, id: uuid })
    expect(JSON.parse(revoked.stdout)).toEqual({ id, revoked: true })
    expect(JSON.parse(list.stdout).data).toEqual([
      {
        organizationId,
        id,
        name: "Reports",
        prefix: apiKey.slice(0, 7),
        last4: apiKey.slice(-4),
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: null,
        lastUsedFrom: null,
        expiresAt: null,
        revokedAt: expect.stringMatching(/Z$/),
        scopes: ["all"],
        pixelIds: null,
        allowedNetworks: null,
      },
      expect.objectContaining({ name: "First key", revokedAt: null }),
    ])
    expect(words.stdout).toContain("Reports")
    expect(words.stdout).toContain("revoked")
    expect(list.stdout + words.stdout).not.toContain(apiKey)
  })

  it.each([
    [["create", "--organization", "88ac470a-224f-4bdb-a28b-577d65372edd", "--name", "a"]],
    [["revoke", "88ac470a-224f-4bdb-a28b-577d65372edd"]],
    [["revoke", "no-uuid"]],
  ])("for an unknown organization or key print one line and exit with 1: %j", async (args) => {
    const result = await run(["keys", ...args], shared)

    expect(result).toMatchObject({ code: 1, stdout: "" })
    expect(result.stderr).toMatch(
      /^footfall-server: No (organization|API key) found .*keys list\n$/,
    )
  })
})

it("migrate says what it applied, and nothing on a current schema", async () => {
  const result = await run(["migrate", "--json"], shared)

  expect(result).toMatchObject({ code: 0, stderr: "" })
  expect(JSON.parse(result.stdout)).toEqual({ applied: [] })
})

describe("invalid usage", () => {
  it.each([
    [["serve"]],
    [["start", "--colour"]],
    [["start", "--port", "65536"]],
    [["start", "--port", "http"]],
    [["start", "--workers-only", "--no-workers"]],
    [["keys", "revoke"]],
    [["init"]],
    [[]],
  ])("exits with 2 and explains it on standard error: %j", async (args) => {
    const result = await run(args, shared)

    expect(result).toMatchObject({ code: 2, stdout: "" })
    expect(result.stderr).toContain("Usage: footfall-server")
  })

  it("--help and --version exit with 0", async () => {
    expect(await run(["--help"], shared)).toMatchObject({ code: 0, stderr: "" })
    for (const flag of ["--version", "-v", "-V"]) {
      expect((await run([flag], shared)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    }
  })
})

describe("a start that fails", () => {
  it("because of an invalid variable prints one line that names it", async () => {
    const result = await run(["start"], { ...shared, STORE_IP: "none" })

    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: 'footfall-server: STORE_IP: expected truncated or full, received "none".\n',
    })
  })

  it("because of a missing secret prints one line that names it", async () => {
    const result = await run(["start"], { DATABASE_URL: shared["DATABASE_URL"]! })

    expect(result).toMatchObject({ code: 1, stdout: "" })
    expect(result.stderr).toMatch(/^footfall-server: FOOTFALL_SECRET: .*\n$/)
  })

  it("because of a port in use says so and how to choose another", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const { port } = other.address() as AddressInfo

    const result = await run(["start", "--port", String(port), "--json"], shared)
    other.close()

    expect(result).toMatchObject({ code: 1, stdout: "" })
    expect(JSON.parse(result.stderr)).toEqual({
      error: {
        code: "ListenFailed",
        message: `Another program is using 127.0.0.1:${port}. Stop it, or choose another port: --port or PORT.`,
      },
    })
  })
})

describe("start", () => {
  it("--json prints one ready line, and serves requests", async () => {
    const server = await startServer(["--json"])
    const ready = JSON.parse(server.ready)

    expect(ready).toEqual({
      event: "ready",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      address: ready.url,
      pixelBaseUrl: expect.stringMatching(/^http:\/\/localhost/),
      database: "postgres",
    })
    expect((await fetch(`${ready.url}/readyz`)).status).toBe(200)
    server.child.kill("SIGINT")
    expect(await server.ended).toBe(0)
  })

  it("says how to create the first organization until there is one", async () => {
    const environment = await newDatabase()
    const first = await startServer([], environment)
    await run(initArguments, environment)
    const second = await startServer([], {
      ...environment,
      BASE_URL: "https://footfall.tidewater.example",
    })

    expect(first.ready).toMatch(/Server +http:\/\/127\.0\.0\.1:\d+\n/)
    // The URL that others use, if it is known.
    expect(second.ready).toMatch(/Server +https:\/\/footfall\.tidewater\.example\n/)
    expect(first.ready).toContain("npx @footfall/server init --organization")
    expect(second.ready).toContain("Footfall is running")
    expect(second.ready).not.toMatch(/init --organization/)
  })

  it("--workers-only serves health and metrics, no API and no pixel, and stops on a signal", async () => {
    const server = await startServer(["--workers-only", "--json"])
    const { address, ...ready } = JSON.parse(server.ready)
    const statusOf = async (path: string) => (await fetch(address + path)).status

    expect(ready).not.toHaveProperty("url")
    expect(await statusOf("/healthz")).toBe(200)
    expect(await statusOf("/readyz")).toBe(200)
    expect(await (await fetch(`${address}/metrics`)).text()).toContain("footfall_queue_lag_seconds")
    expect(await statusOf("/v1/data")).toBe(404)
    expect(await statusOf("/console")).toBe(404)
    expect((await fetch(`${address}/p/${randomUUID()}/e`, { method: "POST" })).status).toBe(404)
    server.child.kill("SIGTERM")
    expect(await server.ended).toBe(0)
  })
})

describe("a server below a path of BASE_URL", () => {
  it("serves the console, its files and the tag there, whether a proxy strips the path or not", async () => {
    const environment = await newDatabase()
    const server = await startServer(["--json"], {
      ...environment,
      BASE_URL: "https://tools.tidewater.example/footfall",
    })
    const { address } = JSON.parse(server.ready)

    for (const prefix of ["", "/footfall"]) {
      const page = await (await fetch(`${address}${prefix}/console`)).text()
      expect(page).toContain('<base href="/footfall/console/">')
      const [, asset] = /src="\.?\/?(assets\/[^"]+)"/.exec(page)!
      expect((await fetch(`${address}${prefix}/console/${asset}`)).status).toBe(200)
      expect((await fetch(`${address}${prefix}/readyz`)).status).toBe(200)
    }
  })
})

/** Leaves an empty database, as before a first start. */
const withoutTables = async (environment: Environment): Promise<void> => {
  const client = new pg.Client(environment["DATABASE_URL"])
  await client.connect()
  await client.query("drop schema public cascade")
  await client.query("create schema public")
  await client.end()
}

describe("the log of a server", () => {
  it("has JSON lines for the schema, the start, each request and the stop, without a path or a query", async () => {
    const environment = await newDatabase()
    await withoutTables(environment)
    const server = await startServer(["--json"], environment)
    const { address } = JSON.parse(server.ready)
    const email = "jane@harbor.example"

    const path = `/v1/data/visitors/${"0a".repeat(32)}/sessions?email=${email}`
    const response = await fetch(address + path)
    await server.said("server started")
    server.child.kill("SIGTERM")
    await server.ended
    const lines = server
      .stderr()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const named = (message: string) => lines.filter((line) => line.message === message)

    expect(named("schema updated")[0].annotations).toMatchObject({ from: "1_visitors" })
    expect(named("server started")[0].annotations).toMatchObject({ address, works: true })
    expect(named("request").map((line) => line.annotations)).toEqual([
      {
        method: "GET",
        route: expect.stringMatching(/^\/v1\/data\/visitors\/:/),
        status: 401,
        ms: expect.any(Number),
        request_id: response.headers.get("x-request-id"),
      },
    ])
    expect(named("server stopping")).toHaveLength(1)
    expect(server.stderr()).not.toContain(email)
    expect(server.stderr()).not.toContain("0a0a")
  })

  it("has no line for a request with LOG_LEVEL=warn, and has those of health checks with debug", async () => {
    for (const [level, count] of [
      ["warn", 0],
      ["debug", 1],
    ] as const) {
      const server = await startServer(["--json"], { ...shared, LOG_LEVEL: level })
      await fetch(`${JSON.parse(server.ready).address}/healthz`)
      server.child.kill("SIGTERM")
      await server.ended

      expect(server.stderr().split('"message":"request"').length - 1).toBe(count)
    }
  })
})

describe("SIGTERM", () => {
  /** Opens a connection to a server, and reads its next responses. */
  const open = async (url: string): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    await once(socket, "connect")
    return socket
  }
  const answered = async (socket: Socket): Promise<string> =>
    String((await once(socket, "data"))[0])

  const collecting =
    "POST /p/88ac470a-224f-4bdb-a28b-577d65372edd/e HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab"

  const startedWithRequest = async () => {
    const server = await startServer()
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.ready)?.[0] ?? ""
    const slow = await open(url)
    slow.write(collecting)
    // A server that has answered a later request has read the headers.
    await fetch(`${url}/healthz`)
    return { server, slow, url }
  }

  it("lets requests in flight finish, is not ready meanwhile, and exits with 0", async () => {
    const { server, slow, url } = await startedWithRequest()
    const probe = await open(url)
    probe.write("GET /readyz HTTP/1.1\r\nHost: a\r\n")
    await fetch(`${url}/healthz`)

    server.child.kill("SIGTERM")
    await server.said("server stopping")
    probe.write("\r\n")
    const readiness = await answered(probe)
    // For a second the server asks kept-alive connections to close. After that it accepts no new ones.
    await vi.waitFor(() => expect(fetch(`${url}/healthz`)).rejects.toThrow(), { timeout: 30_000 })
    slow.write("cd")
    const answer = await answered(slow)

    expect(readiness).toMatch(/^HTTP\/1\.1 503 /)
    expect(readiness.toLowerCase()).toContain("connection: close")
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    expect(await server.ended).toBe(0)
  })

  it("and SIGINT delivered twice, by the terminal and by npm, is one Ctrl-C", async () => {
    const { server, slow } = await startedWithRequest()

    server.child.kill("SIGINT")
    await server.said("server stopping")
    server.child.kill("SIGINT")
    slow.write("cd")
    const answer = await answered(slow)

    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    expect(await server.ended).toBe(0)
  })

  it("or a second SIGINT ends it at once", async () => {
    const { server, slow } = await startedWithRequest()

    server.child.kill("SIGINT")
    await server.said("server stopping")
    server.child.kill("SIGTERM")

    expect(await server.ended).toBe(130)
    slow.destroy()
  })
})
