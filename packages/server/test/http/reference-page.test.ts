// /docs (spec 5.15): the reference as a page, what it loads, and its total size.
import { request } from "node:http"
import { buffer } from "node:stream/consumers"
import { afterAll, beforeAll, expect, it } from "vitest"
import { endpoints, groups, schemas } from "../../scripts/api-reference/contract.ts"
import { apiPage } from "../../scripts/api-reference/page.ts"
import { createFootfall } from "../../src/app/index.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

let server: TestServer
let html: string
beforeAll(async () => {
  server = await startServer({ workers: false })
  html = await (await fetch(`${server.url}/docs`)).text()
})
afterAll(() => server.close())

/** The files that the page loads. */
const loaded = () =>
  new Set(
    [...html.matchAll(/<(?:link|script|img)\b[^>]* (?:href|src)="([^"]+)"/g)].map(([, to]) => to!),
  )

it("is an HTML page, as the build generates it from the contract", async () => {
  const response = await fetch(`${server.url}/docs`)

  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(html).toMatch(/^<!doctype html>/)
  expect(html).toBe(apiPage())
})

it("is below 1 MB with everything it loads, and below 110 KB compressed", async () => {
  const paths = ["docs", ...loaded()]
  expect(paths).toHaveLength(5)
  const sizes = await Promise.all(
    paths.map(async (path) => (await (await fetch(`${server.url}/${path}`)).bytes()).length),
  )
  const packed = await gzipped("/docs")

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
  expect(packed.encoding).toBe("gzip")
  expect(packed.vary).toBe("Accept-Encoding")
  expect(packed.length).toBeLessThan(110_000)
})

/** The compressed body; `fetch` would decompress it. */
const gzipped = (path: string) =>
  new Promise<{ encoding: string | undefined; vary: string | undefined; length: number }>(
    (resolve, reject) => {
      const asked = request(server.url + path, { headers: { "accept-encoding": "gzip" } })
      asked.on("error", reject).on("response", async (response) => {
        const { "content-encoding": encoding, vary } = response.headers
        resolve({ encoding, vary, length: (await buffer(response)).length })
      })
      asked.end()
    },
  )

it("runs no script and no style except its own files, and sends nothing anywhere", async () => {
  const { headers } = await fetch(`${server.url}/docs`)

  expect(headers.get("content-security-policy")!.split("; ").toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
  ])
  expect(html).not.toMatch(/<style|<script>| style=| on[a-z]+="|javascript:|https?:\/\/[^"<]*"\s*>/)
})

it("is not sent again to a browser that has cached it", async () => {
  const etag = (await fetch(`${server.url}/docs`)).headers.get("etag")!
  const again = await fetch(`${server.url}/docs`, { headers: { "if-none-match": etag } })

  expect(again.status).toBe(304)
  expect(await again.text()).toBe("")
})

it("has an anchor for every operation, group and schema, and no broken internal link", () => {
  const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!)

  expect(places.size).toBe([...html.matchAll(/ id="/g)].length)
  for (const { operationId } of endpoints) expect(places).toContain(operationId)
  for (const { name } of groups) expect(places).toContain(name.toLowerCase().replaceAll(" ", "-"))
  for (const [name] of schemas) expect(places).toContain(`schema-${name.toLowerCase()}`)
  expect(links.length).toBeGreaterThan(500)
  for (const link of links) expect(places).toContain(link)
})

it("shows three examples for every operation, and no unrendered Markdown", () => {
  for (const name of ["curl", "SDK", "CLI"]) {
    expect(html.split(`data-client="${name}"`)).toHaveLength(endpoints.length + 1)
  }
  const words = html.replaceAll(/<code>[^]*?<\/code>/g, "").replaceAll(/<[^>]+>/g, "")
  expect(words).not.toMatch(/`|\*\*|\]\(|^- /m)
})

it("loads everything and links to everything below the server's base path", async () => {
  const below = await createFootfall({
    databaseUrl: server.databaseUrl,
    secret: testSecret,
    basePath: "/footfall",
    baseUrl: `${server.url}/footfall`,
    workers: false,
    logger: () => {},
  })
  const links = [...html.matchAll(/(?:href|src)="([^"#][^"]*)"/g)].map(([, to]) => to!)
  const page = `${server.url}/footfall/docs`
  const statuses = await Promise.all(
    [...new Set(links), page].map(async (link) => {
      const url = new URL(link, page)
      const headers = { accept: "text/html" }
      return [url.pathname, (await below.fetch(new Request(url, { headers }))).status]
    }),
  )
  await below.close()

  expect(statuses.length).toBeGreaterThan(7)
  for (const [path, status] of statuses) {
    expect(path).toMatch(/^\/footfall\//)
    expect(status, String(path)).toBe(200)
  }
})
