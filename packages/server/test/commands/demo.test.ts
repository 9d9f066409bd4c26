// `start --demo` as a newcomer runs it: no database, no key, an empty directory.
import { Footfall } from "@footfall/sdk"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, inject, it } from "vitest"
import { type Environment, run, type Running, start } from "./command.ts"

let directory: string
let environment: Environment
let running: ReadonlyArray<Running>

beforeEach(() => {
  directory = join(inject("temporaryDirectory"), `demo-${randomUUID()}`)
  environment = {
    DATA_DIR: join(directory, "data"),
    FOOTFALL_CONFIG_DIR: join(directory, "config"),
    HOME: directory,
  }
  running = []
})
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill("SIGTERM")
    await ended
  }
})

const startDemo = async (...args: ReadonlyArray<string>) => {
  const server = await start(["--demo", "--port", "0", ...args], environment)
  running = [...running, server]
  return server
}

it("creates an installation, keeps it across a restart, and commands work beside it", async () => {
  const first = await startDemo("--json")
  const ready = JSON.parse(first.ready)
  const get = (path: string) =>
    fetch(ready.url + path, { headers: { "x-api-key": ready.demo.apiKey } })
  const profile = JSON.parse(await readFile(join(directory, "config", "config.json"), "utf8"))
  const visitors = await (await get("/v1/data?timeframe=30d")).json()
  const page = await fetch(`${ready.url}/demo`)
  const keys = await run(["keys", "list", "--json"], environment)
  const second = await run(["start", "--port", "0"], environment)

  expect(ready).toMatchObject({ event: "ready", database: "embedded" })
  expect(profile).toEqual({
    current: "demo",
    profiles: { demo: { baseUrl: ready.url, apiKey: ready.demo.apiKey } },
  })
  expect((await stat(join(directory, "config", "config.json"))).mode & 0o777).toBe(0o600)
  expect((await stat(join(directory, "data", "demo.json"))).mode & 0o777).toBe(0o600)
  expect((await stat(join(directory, "data", "secret"))).mode & 0o777).toBe(0o600)
  expect(visitors).toMatchObject({ data: expect.any(Array), meta: { hasMore: true } })
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain(`/p/${ready.demo.pixelId}.js`)
  expect(html).toContain('data-command-line="npx @footfall/cli"')
  expect(html).not.toContain("{{")
  expect(JSON.parse(keys.stdout).data).toHaveLength(1)
  expect(second).toMatchObject({ code: 1, stdout: "" })
  expect(second.stderr).toContain(String(first.child.pid))

  first.child.kill("SIGTERM")
  expect(await first.ended).toBe(0)
  const again = JSON.parse((await startDemo("--json")).ready)
  expect(again.demo).toEqual(ready.demo)
})

it("has a list of target accounts, a segment of those who visit, and an alert that is off", async () => {
  const server = await startDemo("--json")
  const ready = JSON.parse(server.ready)
  const sdk = new Footfall({ baseUrl: ready.url, apiKey: ready.demo.apiKey })

  const lists = (await sdk.lists.list()).data
  const segments = (await sdk.segments.list()).data
  const webhooks = await sdk.webhooks.list()
  const { data } = await sdk.companies.query({ segmentId: segments[0]!.id })

  expect(lists.map(({ name, subject }) => [name, subject])).toEqual([
    ["Target accounts", "companies"],
  ])
  expect(segments).toMatchObject([{ name: "Target accounts on the site", subject: "companies" }])
  expect(webhooks).toMatchObject([
    { trigger: "page_viewed", status: "inactive", segmentId: segments[0]!.id },
  ])
  // Some of them visit, and some do not.
  expect(data.length).toBeGreaterThan(3)
  expect(data.length).toBeLessThan(lists[0]!.size)
}, 120_000)

it("has a topic catalog, and several dozen people for the topics in the tutorial", async () => {
  const server = await startDemo("--json")
  const ready = JSON.parse(server.ready)
  const post = async (path: string, body: unknown) => {
    const response = await fetch(ready.url + path, {
      method: "POST",
      headers: { "x-api-key": ready.demo.apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { readonly data: Readonly<Record<string, unknown>> }
  }
  const topics = await (await fetch(`${ready.url}/v1/intent/topics?q=freight`)).json()
  const trend = await (await fetch(`${ready.url}/v1/intent/topics/3377/trend`)).json()
  const { data: preview } = await post("/v1/intent/audiences/preview", {
    topicIds: [3377, 1015, 1018, 1007],
  })
  const { data: anyTopics } = await post("/v1/intent/audiences/preview", {
    topicIds: [1040, 1100, 1180, 1260, 1330, 1390],
  })
  const sample = preview["sample"] as ReadonlyArray<Readonly<Record<string, string>>>

  expect(topics).toMatchObject({ meta: { total: expect.any(Number) } })
  expect((topics as { data: ReadonlyArray<unknown> }).data.length).toBeGreaterThan(2)
  expect((trend as { data: ReadonlyArray<unknown> }).data).toHaveLength(14)
  expect(preview["totalCount"]).toBeGreaterThan(36)
  expect(preview["totalCount"]).toBeLessThan(150)
  expect(anyTopics["totalCount"]).toBeGreaterThan(24)
  for (const { company, email, jobTitle } of sample) {
    expect(email).toMatch(/^.\*{3}@[a-z0-9-]+\.example$/)
    expect(company).not.toBe("")
    expect(jobTitle).not.toBe("")
  }
  expect(preview["dataDate"]).toBe(new Date().toISOString().slice(0, 10))
}, 120_000)
