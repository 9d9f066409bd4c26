// What `/console` serves, tested with a small build.
import { NodeHttpPlatform, NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Etag, HttpEffect, HttpRouter } from "effect/http"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ConsoleRoutes } from "./routes.ts"

let directory: string
let get: (path: string, headers?: Record<string, string>) => Promise<Response>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "footfall-console-"))
  await mkdir(`${directory}/assets`)
  await writeFile(
    `${directory}/index.html`,
    '<html><head><title>x</title></head><a href="assets/a.js">',
  )
  await writeFile(`${directory}/assets/a-1.js`, "console.log(1)")
  await writeFile(`${directory}/assets/a-1.js.gz`, gzipSync("console.log(1)"))
  await writeFile(`${directory}/assets/b-1.css`, "a{}")
  await writeFile(`${directory}/secret.js`, "secret")
  const platform = Layer.mergeAll(NodeServices.layer, NodeHttpPlatform.layer, Etag.layer)
  const app = await ConsoleRoutes({ basePath: "/footfall", directory, issuerName: 'A "<b>' }).pipe(
    HttpRouter.toHttpEffect,
    Effect.provide(platform),
    Effect.scoped,
    Effect.runPromise,
  )
  const answer = HttpEffect.toWebHandler(app)
  get = (path, headers = {}) => answer(new Request(`http://x${path}`, { headers }))
})
afterAll(() => rm(directory, { recursive: true }))

it.each(["/console", "/console/", "/console/people", "/console/people/a.js", "/console/a/b/c"])(
  "%s is the page, under the prefix of the server and a strict policy",
  async (path) => {
    const page = await get(path)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('<head>\n<base href="/footfall/console/">')
    expect(html).toContain('<meta name="footfall-issuer" content="A &quot;&lt;b&gt;">')
    expect(page.headers.get("cache-control")).toBe("no-cache")
    const policy = page.headers.get("content-security-policy")!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("unsafe")
  },
)

it("files of the build are cached permanently, with their type", async () => {
  const file = await get("/console/assets/b-1.css")
  expect(await file.text()).toBe("a{}")
  expect(file.headers.get("content-type")).toBe("text/css; charset=utf-8")
  expect(file.headers.get("cache-control")).toContain("immutable")
})

it("a file is sent compressed to clients that accept gzip, and otherwise as it is", async () => {
  const packed = await get("/console/assets/a-1.js", { "accept-encoding": "gzip, br" })
  expect(packed.headers.get("content-encoding")).toBe("gzip")
  expect(gunzipSync(await packed.bytes()).toString()).toBe("console.log(1)")
  const plain = await get("/console/assets/a-1.js", { "accept-encoding": "gzip;q=0" })
  expect(plain.headers.get("content-encoding")).toBeNull()
  expect(await plain.text()).toBe("console.log(1)")
  expect(packed.headers.get("vary")).toBe("Accept-Encoding")
})

it.each([
  "/console/assets/",
  "/console/assets/c.js",
  "/console/assets/..%2Fsecret.js",
  "/console/assets/a-1.js.gz",
  "/console/assets/constructor",
  "/console/assets/a-1.js/",
])("%s is not found", async (path) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: "NOT_FOUND" } })
})
