// What `/guide` serves, with a small build of its own.
import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { HttpEffect, HttpRouter } from "effect/http"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, it } from "vitest"
import { GuideRoutes } from "./guide.ts"

let directory: string
let get: (path: string, headers?: Record<string, string>, basePath?: string) => Promise<Response>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "footfall-guide-"))
  await mkdir(`${directory}/assets`)
  await mkdir(`${directory}/how-to`)
  for (const [name, text] of [
    ["index.html", '<a href="/guide/tutorial">start</a>'],
    ["404.html", "no such page"],
    ["how-to/index.html", "how to"],
    ["how-to/embed.md", "# Embed it\n\n[start](/guide/tutorial.md)"],
    ["how-to/embed.html", '<script src="/guide/assets/a-1.js">'],
    ["assets/a-1.js", 'import("/guide/assets/b.js")'],
  ] as const)
    await writeFile(`${directory}/${name}.gz`, gzipSync(text))
  await writeFile(`${directory}/assets/picture.png`, "png")
  await writeFile(`${directory}/secret.txt`, "secret")
  const answerBelow = async (basePath: string) =>
    HttpEffect.toWebHandler(
      await GuideRoutes({ basePath, directory }).pipe(
        HttpRouter.toHttpEffect,
        Effect.provide(NodeServices.layer),
        Effect.scoped,
        Effect.runPromise,
      ),
    )
  const answers = { "": await answerBelow(""), "/footfall": await answerBelow("/footfall") }
  get = (path, headers = {}, basePath = "") =>
    answers[basePath as keyof typeof answers](new Request(`http://x${path}`, { headers }))
})
afterAll(() => rm(directory, { recursive: true }))

it("each page is there as Markdown, with links to the Markdown of other pages", async () => {
  const page = await get("/guide/how-to/embed.md")

  expect(page.status).toBe(200)
  expect(page.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
  expect(await page.text()).toContain("[start](/guide/tutorial.md)")
  const below = await get("/guide/how-to/embed.md", {}, "/footfall")
  expect(await below.text()).toContain("[start](/footfall/guide/tutorial.md)")
})

it.each([
  ["/guide/", "tutorial"],
  ["/guide", "tutorial"],
  ["/guide/how-to", "how to"],
  ["/guide/how-to/", "how to"],
  ["/guide/how-to/embed", "<script"],
  ["/guide/how-to/embed.html?q=1", "<script"],
])("%s is a page, under a strict policy", async (path, words) => {
  const page = await get(path)

  expect(page.status).toBe(200)
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(page.headers.get("cache-control")).toBe("no-cache")
  expect(await page.text()).toContain(words)
  const policy = page.headers.get("content-security-policy")!
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain("unsafe")
})

it("files of the build are cached permanently, and compressed for clients that accept it", async () => {
  const packed = await get("/guide/assets/a-1.js", { "accept-encoding": "gzip" })
  expect(packed.headers.get("content-encoding")).toBe("gzip")
  expect(packed.headers.get("cache-control")).toContain("immutable")
  expect(String(gunzipSync(await packed.arrayBuffer()))).toBe('import("/guide/assets/b.js")')

  const plain = await get("/guide/assets/a-1.js")
  expect(plain.headers.get("content-encoding")).toBe(null)
  expect(await plain.text()).toBe('import("/guide/assets/b.js")')

  const picture = await get("/guide/assets/picture.png", { "accept-encoding": "gzip" })
  expect(picture.headers.get("content-encoding")).toBe(null)
  expect(await picture.text()).toBe("png")
})

it("below another path every link begins with that path", async () => {
  const page = await get("/guide/how-to/embed", { "accept-encoding": "gzip" }, "/footfall")
  expect(await page.text()).toBe('<script src="/footfall/guide/assets/a-1.js">')

  const script = await get("/guide/assets/a-1.js", {}, "/footfall")
  expect(await script.text()).toBe('import("/footfall/guide/assets/b.js")')

  const start = await get("/guide", {}, "/footfall")
  expect(await start.text()).toBe('<a href="/footfall/guide/tutorial">start</a>')
})

it.each(["/guide/nowhere", "/guide/secret.txt", "/guide/..%2fsecret.txt", "/guide/how-to/../../x"])(
  "%s is an unknown page",
  async (path) => {
    const page = await get(path, { accept: "text/html" })
    expect(page.status).toBe(404)
    expect(await page.text()).not.toContain("secret")
  },
)
