// The opt-out of the pixel host (spec 5.2, 6.6): the page, its cookie, opting in again, and the script for a
// browser with the cookie.
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
  /** The attributes of the cookie that a response sets, in lower case and sorted. */
  const attributes = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((text) => text.split(/; */).map((part) => part.toLowerCase()))
      .map(([pair, ...rest]) => [pair, ...rest.toSorted()])

  const text = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await send(path, { headers })).text()
  const choose = (choice: string, headers: Readonly<Record<string, string>> = {}) =>
    send(`/opt-out?choice=${choice}`, { method: "POST", headers, redirect: "manual" })
  const ownOrigin = () => ({ origin: server.url, host: new URL(server.url).host })
  const own = [
    ["a form of the page", () => ({ "sec-fetch-site": "same-origin" })],
    ["a browser that sends only its origin", ownOrigin],
    ["a program", () => ({})],
  ] as const
  const foreign = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://other.example" },
    { origin: "null" },
  ]

  it("opening the page changes nothing and asks first", async () => {
    const response = await send("/opt-out")
    const html = await response.text()

    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": expect.stringMatching(/^text\/html/),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    })
    expect(html).toContain("<h1>Opt this browser out?</h1>")
    expect(html).toContain(`<form method="post" action="opt-out?choice=out">`)
    expect(html).toContain("<code>footfall_optout=1</code>, for 13 months")
    expect(html).not.toMatch(/<script|javascript:| on\w+=/i)
  })

  it("with the cookie the page says so and offers to opt in", async () => {
    const html = await text("/opt-out", { cookie })

    expect(html).toContain("<h1>You are opted out</h1>")
    expect(html).toContain(`<form method="post" action="opt-out?choice=in">`)
  })

  it("after the choice the page shows what the browser saved, not what was requested", async () => {
    expect(await text("/opt-out?asked=out", { cookie })).toContain("<h1>You are opted out</h1>")
    expect(await text("/opt-out?asked=out")).toContain("Your browser did not save your choice")
    expect(await text("/opt-out?asked=in")).toContain("<h1>You are opted in</h1>")
    expect(await text("/opt-out?asked=<script>")).toContain("<h1>Opt this browser out?</h1>")
  })

  it("tells a browser with Global Privacy Control that it is not recognized anyway", async () => {
    expect(await text("/opt-out", { "sec-gpc": "1" })).toContain(
      "sends a Global Privacy Control signal",
    )
    expect(await text("/opt-out")).not.toContain("sends a Global Privacy Control signal")
  })

  it("its policy allows its own style and nothing else", async () => {
    const response = await send("/opt-out")
    const [, style = ""] = /<style>([^]*)<\/style>/.exec(await response.text()) ?? []
    const digest = createHash("sha256").update(style).digest("base64")

    expect(response.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
  })

  it.each(own)(
    "opts out for 13 months, beyond the reach of scripts, for %s",
    async (_n, headers) => {
      const response = await choose("out", headers())

      expect([response.status, response.headers.get("location")]).toEqual([
        303,
        "opt-out?asked=out",
      ])
      expect(attributes(response)).toEqual([
        [cookie, "httponly", `max-age=${seconds}`, "path=/", "samesite=none", "secure"],
      ])
    },
  )

  it.each(own)("opts in again for %s", async (_n, headers) => {
    const response = await choose("in", headers())

    expect([response.status, response.headers.get("location")]).toEqual([303, "opt-out?asked=in"])
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
  })

  it.each(foreign)("no other site can make or reverse the choice: %j", async (headers) => {
    for (const choice of ["out", "in"]) {
      const response = await choose(choice, headers)

      expect(response.status).toBe(403)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await response.json()).toMatchObject({ error: { code: "FORBIDDEN" } })
    }
  })

  it("an invalid choice is rejected, naming the parameter", async () => {
    const response = await choose("maybe")

    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []])
    expect(await response.json()).toMatchObject({
      error: { details: { issues: [{ path: "/query/choice" }] } },
    })
  })

  it("another method gets a 405", async () => {
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
    ])("gets a no-op that is not cached: %s", async (_name, path) => {
      const response = await send(await path(), { headers: { cookie: `a=b; ${cookie}` } })

      expect(response.status).toBe(200)
      expect(await response.text()).toBe(noOp)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "private, no-store",
        "access-control-allow-origin": "*",
        vary: "cookie, Accept-Encoding",
      })
      expect(response.headers.get("etag")).toBeNull()
    })

    it("does not get a 304 for its old script", async () => {
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

    it("an unknown pixel still gets a 404", async () => {
      const response = await send(`/p/${crypto.randomUUID()}.js`, { headers: { cookie } })

      expect(response.status).toBe(404)
    })
  })
})
