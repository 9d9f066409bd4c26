// `/`: a page for browsers, an unknown path for programs.
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createFootfall } from "../../src/app/index.ts"
import { version } from "../../src/version.ts"
import { domain, startServer, testSecret, type TestServer } from "../support/server.ts"
import { makeBatch } from "../visits/collect-layer.ts"

/** A browser's header for a page. */
const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

const startedAt = Date.now()
let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

/** Without the documentation, which exists once `npm run docs` has built it. */
const links = (html: string) =>
  [...html.matchAll(/<a href="([^"]+)">/g)]
    .map(([, to]) => to!)
    .filter((to) => !to.endsWith("/guide/"))

const page = async () => (await fetch(server.url, { headers: { accept } })).text()

describe("in a browser", () => {
  it("links only to pages that exist", async () => {
    const response = await fetch(server.url, { headers: { accept } })
    const html = await response.text()

    expect(response.status).toBe(200)
    expect(response.headers.get("vary")).toBe("Accept")
    expect(links(html)).toEqual(["/console", "/docs", "/openapi.json", "/opt-out"])
    for (const to of links(html)) expect((await fetch(server.url + to)).status).toBe(200)
  })

  it("has a policy that allows its own style and nothing else", async () => {
    const response = await fetch(server.url, { headers: { accept } })
    const html = await response.text()
    const [, style = ""] = /<style>([^]*)<\/style>/.exec(html) ?? []
    const digest = createHash("sha256").update(style).digest("base64")

    expect(response.headers.get("content-security-policy")).toContain(
      `default-src 'none'; style-src 'sha256-${digest}'`,
    )
    expect(html).not.toMatch(/<script|javascript:| on\w+=/i)
  })

  it.each(["/footfall", "/footfall/"])(
    "below a path its links stay below that path: %s",
    async (path) => {
      const below = await createFootfall({
        databaseUrl: server.databaseUrl,
        secret: testSecret,
        basePath: "/footfall",
        baseUrl: `${server.url}/footfall`,
        workers: false,
        logger: () => {},
      })
      const request = (to: string) => new Request(server.url + to, { headers: { accept } })
      const found = links(await (await below.fetch(request(path))).text())
      const statuses = await Promise.all(
        found.map(async (to) => (await below.fetch(request(to))).status),
      )
      await below.close()

      expect(found).toEqual([
        "/footfall/console",
        "/footfall/docs",
        "/footfall/openapi.json",
        "/footfall/opt-out",
      ])
      expect(statuses).toEqual([200, 200, 200, 200])
    },
  )
})

it("shows the running version and since when, and nothing about an organization", async () => {
  const html = await page()
  const [, since = ""] = /<time datetime="([^"]+)">/.exec(html) ?? []

  expect(html).toContain(`<dd>${version}</dd>`)
  expect(Date.parse(since)).toBeGreaterThan(startedAt - 1)
  expect(Date.parse(since)).toBeLessThan(Date.now())
  for (const secret of [server.organizationId, server.pixelId, domain, "Tidewater"]) {
    expect(html).not.toContain(secret)
  }
})

it("says when page views wait because no worker runs, and when the database is down", async () => {
  // The server queries its database at most once in five seconds.
  const eventually = async (words: string) => {
    await expect.poll(page, { timeout: 60_000, interval: 500 }).toContain(words)
  }
  await eventually("<h1>Footfall is running</h1>")

  await server.collect(makeBatch())
  await server.sql("update event_inbox set received_at = received_at - interval '2 minutes'")
  await eventually("<h1>Footfall is running, but it is behind</h1>")

  await server.sql("alter table schema_migration rename to moved_away")
  await eventually("<h1>Footfall is running, but not ready</h1>")
  await server.sql("alter table moved_away rename to schema_migration")
})

it("the front page, the opt-out page and the reference have the console's colors and fonts", async () => {
  const file = new URL("../../../console/src/ui/tokens.css", import.meta.url)
  const tokens = (await readFile(file, "utf8")).trim()
  const textOf = async (path: string) =>
    (await fetch(server.url + path, { headers: { accept } })).text()

  for (const path of ["/", "/opt-out"]) expect(await textOf(path)).toContain(tokens)
  expect(await textOf("/docs/assets/tokens.css")).toContain(tokens)
})

it.each([["*/*"], ["application/json"], [undefined]])(
  "for a program that accepts %s it is an unknown path",
  async (type) => {
    const response = await server.embedded.fetch(
      new Request(`${server.url}/`, { headers: type === undefined ? {} : { accept: type } }),
    )

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } })
  },
)
