// The opt-out of the pixel host (spec 5.2, 6.6): the page, its cookie, the way back, and what a
// browser with the cookie gets in place of a script.
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const doors = [
  ["the socket", (path: string, init?: RequestInit) => fetch(server.url + path, init)],
  [
    "the embedded handler",
    (path: string, init?: RequestInit) =>
      server.embedded.fetch(new Request(server.url + path, init)),
  ],
] as const

const cookie = "footfall_optout=1"
/** 395 days. */
const seconds = "34128000"

describe.each(doors)("through %s", (_, send) => {
  /** The attributes of the cookie an answer sets, in lower case and sorted. */
  const attributes = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((text) => text.split(/; */).map((part) => part.toLowerCase()))
      .map(([pair, ...rest]) => [pair, ...rest.toSorted()])

  it("GET sets the cookie for 13 months, beyond the reach of scripts, for every site", async () => {
    const response = await send("/opt-out")

    expect(response.status).toBe(200)
    expect(attributes(response)).toEqual([
      [cookie, "httponly", `max-age=${seconds}`, "path=/", "samesite=none", "secure"],
    ])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": expect.stringMatching(/^text\/html/),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    })
  })

  it("the page says what is so, and has the way back, without a script", async () => {
    const html = await (await send("/opt-out")).text()

    expect(html).toContain("<h1>You are opted out</h1>")
    expect(html).toContain(`<form method="post" action="opt-out">`)
    expect(html).not.toMatch(/<script|javascript:| on\w+=/i)
  })

  it("its policy allows its own style and nothing else", async () => {
    const response = await send("/opt-out")
    const [, style = ""] = /<style>([^]*)<\/style>/.exec(await response.text()) ?? []
    const digest = createHash("sha256").update(style).digest("base64")

    expect(response.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
  })

  it.each([
    ["a form of the page", { "sec-fetch-site": "same-origin" }],
    ["a browser that says its origin alone", "origin"],
    ["a program", {}],
  ] as const)("POST takes the choice back: %s", async (_name, headers) => {
    const response = await send("/opt-out", {
      method: "POST",
      headers:
        headers === "origin" ? { origin: server.url, host: new URL(server.url).host } : headers,
    })

    expect(response.status).toBe(200)
    expect(attributes(response)).toEqual([
      [
        "footfall_optout=",
        expect.stringMatching(/^expires=/),
        "httponly",
        "max-age=0",
        "path=/",
        "samesite=none",
        "secure",
      ],
    ])
    expect(await response.text()).toContain("<h1>You are opted in</h1>")
  })

  it.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://other.example" },
    { origin: "null" },
  ])("no other site takes it back: %j", async (headers) => {
    const response = await send("/opt-out", { method: "POST", headers })

    expect(response.status).toBe(403)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.json()).toMatchObject({ error: { code: "FORBIDDEN" } })
  })

  it("another method is 405", async () => {
    const response = await send("/opt-out", { method: "DELETE" })

    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
  })

  describe("a script request with the cookie", () => {
    const noOp = 'console.debug("footfall: this browser is opted out")\n'
    const plain = () => `/p/${server.pixelId}.js`
    const pinned = async () =>
      new URL((await server.sdk.pixels.get(server.pixelId)).embed.immutable.url).pathname

    it.each([
      ["the plain script", async () => plain()],
      ["a pinned one", pinned],
    ])("gets a no-op that no one keeps: %s", async (_name, path) => {
      const response = await send(await path(), { headers: { cookie: `a=b; ${cookie}` } })

      expect(response.status).toBe(200)
      expect(await response.text()).toBe(noOp)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "private, no-store",
        "access-control-allow-origin": "*",
        vary: "cookie",
      })
      expect(response.headers.get("etag")).toBeNull()
    })

    it("does not get 304 for its old script", async () => {
      const { headers } = await send(plain())

      const response = await send(plain(), {
        headers: { cookie, "if-none-match": headers.get("etag") ?? "" },
      })

      expect([response.status, await response.text()]).toEqual([200, noOp])
    })

    it("another value or another name does not opt out", async () => {
      for (const other of ["footfall_optout=0", "footfall_optout=", "xfootfall_optout=1"]) {
        expect(await (await send(plain(), { headers: { cookie: other } })).text()).not.toBe(noOp)
      }
    })

    it("an unknown pixel is still 404", async () => {
      const response = await send(`/p/${crypto.randomUUID()}.js`, { headers: { cookie } })

      expect(response.status).toBe(404)
    })
  })
})
