// The examples, run as their readers would run them, against a real server.
import { Footfall } from "@footfall/sdk"
import { signTestWebhook } from "@footfall/sdk/webhooks"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const exampleFile = (example: string) =>
  fileURLToPath(new URL(`../../../../examples/${example}/main.ts`, import.meta.url))

// Without the test runner's environment, which sets BASE_URL, one of our variables.
const run = (example: string, environment: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [exampleFile(example)], {
    env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...environment },
  })

it("list-visitors prints who looked at prices, and no one else", async () => {
  const visit = (email: string, path: string) => {
    const anonymousId = crypto.randomUUID()
    const event = (type: string, more: object) => ({
      id: crypto.randomUUID(),
      type,
      time: new Date().toISOString(),
      url: `https://tidewater.example${path}`,
      ...more,
    })
    return server.collect({
      v: 1,
      sentAt: new Date().toISOString(),
      anonymousId,
      consent: "granted",
      events: [event("page", { referrer: null, title: null }), event("identify", { email })],
    })
  }
  await visit("buyer@acme.example", "/pricing")
  await visit("reader@acme.example", "/blog")
  await server.drain()

  const environment = { FOOTFALL_API_KEY: server.apiKey, FOOTFALL_BASE_URL: server.url }
  const child = run("list-visitors", environment)
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")])

  expect(output).toBe("buyer@acme.example (unknown company): 1\n")
})

it("list-visitors says that its key was rejected", async () => {
  const environment = {
    FOOTFALL_API_KEY: "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO",
    FOOTFALL_BASE_URL: server.url,
  }
  const child = run("list-visitors", environment)
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")])

  expect(errors).toContain("The key was rejected")
  expect(exitCode).toBe(1)
})

it.each(["embedded", "express", "fastify", "hono"])(
  "%s answers below its path, leaves the rest to the application, and stops on SIGINT",
  async (example) => {
    const port = await freePort()
    const child = run(example, {
      PORT: String(port),
      DATABASE_URL: server.databaseUrl,
      FOOTFALL_SECRET: testSecret,
    })
    child.stderr.pipe(process.stderr)
    await once(child.stdout, "data")

    const ready = await fetch(`http://127.0.0.1:${port}/footfall/readyz`)
    const own = await fetch(
      `http://127.0.0.1:${port}/${example === "express" ? "hottest-topics" : ""}`,
    )

    expect(ready.status).toBe(200)
    expect(await own.text()).toBe(
      example === "express" ? "[]" : "This is the application itself.\n",
    )
    child.kill("SIGINT")
    expect(await once(child, "exit")).toEqual([0, null])
  },
)

it("console-embedded serves the console below its path to staff, and the pixel to everyone", async () => {
  const port = await freePort()
  const child = run("console-embedded", {
    PORT: String(port),
    DATABASE_URL: server.databaseUrl,
    FOOTFALL_SECRET: testSecret,
    STAFF_PASSWORD: "for the tests",
  })
  child.stderr.pipe(process.stderr)
  await once(child.stdout, "data")
  const staff = { authorization: `Basic ${btoa("staff:for the tests")}` }
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })

  expect(await (await get("/")).text()).toContain('<a href="/insights/console">')
  expect((await get("/insights/console")).status).toBe(401)
  expect((await get("/insights/metrics")).status).toBe(401)
  const html = await (await get("/insights/console", staff)).text()
  const [, base = ""] = /<base href="([^"]+)">/.exec(html) ?? []
  const [, script = ""] = /src="([^"]+\.js)"/.exec(html) ?? []
  expect(base).toBe("/insights/console/")
  expect((await get(base + script, staff)).status).toBe(200)
  expect((await get(`/insights/p/${server.pixelId}.js`)).status).toBe(200)
  expect((await get("/insights/v1/data/pixels", { "x-api-key": server.apiKey })).status).toBe(200)
  child.kill("SIGINT")
  expect(await once(child, "exit")).toEqual([0, null])
})

it("effect is a server in a program, which calls itself with the typed client", async () => {
  const port = await freePort()
  const child = run("effect", {
    PORT: String(port),
    DATABASE_URL: server.databaseUrl,
    FOOTFALL_SECRET: testSecret,
  })
  child.stderr.pipe(process.stderr)
  const [line] = (await once(child.stdout, "data")) as [Buffer]

  expect(line.toString()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs, \d+ topics\n$/)
  child.kill("SIGINT")
  await once(child, "exit")
})

it("receive-webhooks prints each event once, and rejects unsigned requests", async () => {
  const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
  const port = await freePort()
  const child = run("receive-webhooks", { PORT: String(port), FOOTFALL_WEBHOOK_SECRET: secret })
  await once(child.stdout, "data")
  const printed = text(child.stdout)
  const payload = JSON.stringify({ id: "msg_1", event: "webhook.test", test: true })
  const { body, headers } = await signTestWebhook({ payload, secret })
  const post = (sent: Readonly<Record<string, string>>) =>
    fetch(`http://127.0.0.1:${port}`, { method: "POST", headers: sent, body })

  const statuses = [await post(headers), await post(headers), await post({})].map((r) => r.status)
  child.kill("SIGINT")

  expect(statuses).toEqual([204, 204, 400])
  expect(await printed).toBe("webhook.test\n")
})

it("run-audience creates an audience and downloads its results", async () => {
  const folder = await mkdtemp(join(tmpdir(), "footfall-example-"))
  const { accessToken } = await server.makeUser("owner")
  const owner = new Footfall({ baseUrl: server.url, accessToken })
  const email = "vera@acme.example"
  const today = new Date().toISOString().slice(0, 10)
  await server.sql(
    `insert into topic (topic_id, topic_name, type, industry, category)
     values (1, 'CRM Software', 'b2b', 'software', 'sales')`,
  )
  await owner.imports.run("people", JSON.stringify({ email, seniority: "vp" }), {
    format: "ndjson",
  })
  const emailHash = createHash("sha256").update(email).digest("hex")
  const signal = { topicId: 1, emailHash, score: 90, date: today }
  await owner.imports.run("signals", JSON.stringify(signal), { format: "ndjson" })
  const child = spawn(
    process.execPath,
    [exampleFile("run-audience"), "crm software", join(folder, "people.csv")],
    {
      env: {
        PATH: process.env["PATH"],
        TMPDIR: process.env["TMPDIR"],
        FOOTFALL_API_KEY: server.apiKey,
        FOOTFALL_BASE_URL: server.url,
      },
    },
  )
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")])

  expect(output).toContain("Topics: CRM Software\n1 people\n1 of 1, score 90\n")
  expect(await readFile(join(folder, "people.csv"), "utf8")).toContain(email)
  await rm(folder, { recursive: true })
})

it("inbound says what became of each vendor's body, which is refused without its signature", async () => {
  const environment = { FOOTFALL_API_KEY: server.apiKey, FOOTFALL_BASE_URL: server.url }
  const child = run("inbound", environment)
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ])

  expect({ errors, exitCode }).toEqual({ errors: "", exitCode: 0 })
  expect(output.trimEnd().split("\n")).toEqual([
    "rb2b: 200, 1 person",
    "typeform, unsigned: 401",
    "typeform: 200, 1 person",
    "tally, unsigned: 401",
    "tally: 200, 1 person",
    "calcom, unsigned: 401",
    "calcom: 200, 2 person",
    "calendly, unsigned: 401",
    "calendly: 200, 1 person",
    "generic: 200, 1 company, 1 person, 1 rejected (no_identity)",
  ])
  await server.drain()
  const client = new Footfall({ baseUrl: server.url, apiKey: server.apiKey })
  expect(await client.inbound.list()).toEqual([])
  const { fullName } = await client.visitors.get({ email: "octavia@acme.example" })
  expect(fullName).toBe("Octavia Chen")
})

it("suppress-from-csv adds valid rows, reports invalid ones, and adds nothing twice", async () => {
  const environment = { FOOTFALL_API_KEY: server.apiKey, FOOTFALL_BASE_URL: server.url }
  const outcome = async () => {
    const child = run("suppress-from-csv", environment)
    const [output, errors, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ])
    return { output, errors, exitCode }
  }

  expect(await outcome()).toEqual({
    output: "2 added, 0 duplicates\n",
    errors: 'row 3: "not an address" invalid_email\n',
    exitCode: 1,
  })
  expect(await outcome()).toMatchObject({ output: "0 added, 2 duplicates\n" })
})
