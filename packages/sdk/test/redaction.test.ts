// Neither the client nor an error ever prints a key or token, whoever wrote the text.

import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { Footfall, FootfallError, type FootfallOptions } from "../src/index.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { answerRaw, refuse, reset, succeed } from "./support/steps.ts"

/** Every common way to print a value. */
function printed(value: unknown): string {
  return [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error ? value.stack : "",
  ].join("\n")
}

async function errorOf(options: FootfallOptions): Promise<unknown> {
  const footfall = new Footfall({ apiKey, accessToken, maxRetries: 0, ...options })
  try {
    await footfall.visitors.get({ email: "jane@harbor.example" })
  } catch (error) {
    expect(error).toBeInstanceOf(FootfallError)
    return error
  }
  throw new Error("nothing was thrown")
}

describe("printing the client", () => {
  it.each(["before", "after"])("reveals neither key nor token %s a call", async (moment) => {
    const fetch = async () => Response.json({ data: [], meta: {} })
    const footfall = new Footfall({ apiKey, accessToken, fetch })
    if (moment === "after") await footfall.pixels.list()

    const text = printed(footfall) + printed(footfall.visitors) + printed(footfall.visitors.list())

    expect(text).not.toContain(apiKey)
    expect(text).not.toContain(accessToken)
  })
})

describe("printing an error", () => {
  const html = { "content-type": "text/html" }
  const echo = `<html>X-API-Key: ${apiKey}, Bearer ${accessToken}</html>`

  it.each([
    ["a proxy that echoes the request in an error", answerRaw(502, html, echo)],
    ["a proxy that echoes the request in a success", answerRaw(200, html, echo)],
    ["details that echo the key", refuse(400, "VALIDATION_ERROR", { details: { got: apiKey } })],
    ["a reset", reset],
  ])("after %s reveals neither key nor token", async (_name, step) => {
    await using server = await scriptedServer([step])

    const text = printed(await errorOf({ baseUrl: server.baseUrl }))

    expect(text).not.toContain(apiKey)
    expect(text).not.toContain(accessToken)
  })

  const password = 'correct "horse" battery'
  const refreshToken = "refresh-0123456789"
  const calls: ReadonlyArray<readonly [string, (footfall: Footfall) => Promise<unknown>, string]> =
    [
      ["a password", (f) => f.auth.login({ email: "a@b.example", password }), password],
      ["a refresh token", (f) => f.auth.refresh({ refreshToken }), refreshToken],
      ["a refresh token at sign-out", (f) => f.auth.logout({ refreshToken }), refreshToken],
      [
        "an invitation",
        (f) => f.auth.acceptInvite({ token: refreshToken, password }),
        refreshToken,
      ],
      ["an invitation to look at", (f) => f.auth.invitation({ token: refreshToken }), refreshToken],
      ["an invitation of a user", (f) => f.auth.join({ token: refreshToken }), refreshToken],
      ["a new password", (f) => f.auth.acceptInvite({ token: refreshToken, password }), password],
    ]

  it.each(calls)(
    "does not reveal %s that a proxy echoes, raw or in JSON",
    async (_name, call, secret) => {
      const inJson = JSON.stringify({ got: secret })
      await using server = await scriptedServer([
        answerRaw(502, html, `<html>${secret} ${inJson}</html>`),
        refuse(400, "VALIDATION_ERROR", { details: { got: secret, text: inJson } }),
      ])
      const footfall = new Footfall({ accessToken, baseUrl: server.baseUrl, maxRetries: 0 })

      for (const _step of [1, 2]) {
        const text = printed(await call(footfall).catch((error: unknown) => error))
        expect(text).toContain("[redacted]")
        expect(text).not.toContain(secret)
        expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
      }
    },
  )

  it("does not reveal the token that a function returned", async () => {
    const footfall = new Footfall({
      accessToken: async () => accessToken,
      maxRetries: 0,
      fetch: async () => new Response(`Bearer ${accessToken}`, { status: 502 }),
    })

    const text = printed(await footfall.auth.me().catch((error: unknown) => error))

    expect(text).toContain("Bearer [redacted]")
    expect(text).not.toContain(accessToken)
  })

  it("does not change a successful response, even if it repeats what was sent", async () => {
    const tokens = { accessToken: "a.b.c", tokenType: "Bearer", expiresIn: 3600, refreshToken: "r" }
    await using server = await scriptedServer([succeed(tokens)])
    const footfall = new Footfall({ baseUrl: server.baseUrl })

    expect(await footfall.auth.login({ email: "a@b.example", password: "accessToken" })).toEqual(
      tokens,
    )
  })

  it("of a custom fetch function keeps its message and drops its request", async () => {
    const fetch = async (request: Request): Promise<Response> => {
      const cause = Object.assign(new Error(`header x-api-key: ${apiKey} refused`), {
        code: "EBAD",
      })
      throw Object.assign(new Error("cannot send", { cause }), {
        headers: Object.fromEntries(request.headers),
      })
    }

    const text = printed(await errorOf({ fetch }))

    expect(text).toContain("cannot send: header x-api-key: [redacted] refused (EBAD)")
    expect(text).not.toContain(apiKey)
  })

  it("names the endpoint that failed without the email address in its query", async () => {
    await using server = await scriptedServer([reset])

    const text = printed(await errorOf({ baseUrl: server.baseUrl }))

    expect(text).toContain("GET /v1/data at http://127.0.0.1")
    expect(text).not.toContain("jane")
  })
})
