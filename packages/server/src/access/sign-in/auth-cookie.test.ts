// The names and attributes of the `/v1/auth` cookies, depending on the server's address.
import { Duration, Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { expect, it } from "vitest"
import { authCookie } from "./auth-cookie.ts"

const setCookies = async (baseUrl: string, cookie = ""): Promise<ReadonlyArray<string>> => {
  const { send } = authCookie({ baseUrl, name: "held", path: "/v1/auth", sameSite: "strict" })
  const app = Effect.as(send("secret", Duration.minutes(10)), HttpServerResponse.empty())
  const answer = await HttpEffect.toWebHandler(app)(new Request(baseUrl, { headers: { cookie } }))
  return answer.headers.getSetCookie()
}

const attributes = (path: string, isSecure: boolean) => [
  "HttpOnly",
  "Max-Age=600",
  `Path=${path}`,
  "SameSite=Strict",
  ...(isSecure ? ["Secure"] : []),
]

it.each([
  ["https://footfall.example", "__Host-held", "/", true],
  ["https://footfall.example/", "__Host-held", "/", true],
  ["https://localhost:4100", "__Host-held", "/", true],
  ["https://acme.example/visitors", "__Secure-held", "/visitors/v1/auth", true],
  ["https://acme.example/a/b/", "__Secure-held", "/a/b/v1/auth", true],
  // A proxy serves it over https under an address the server does not know.
  ["http://footfall.example", "__Host-held", "/", true],
  ["http://localhost:4100", "held", "/v1/auth", false],
  ["http://127.0.0.1:4100/below", "held", "/below/v1/auth", false],
  ["http://[::1]:4100", "held", "/v1/auth", false],
] as const)("the cookie of %s is %s at %s", async (baseUrl, name, path, isSecure) => {
  const [text = "", ...others] = await setCookies(baseUrl)
  const [pair, ...rest] = text.split("; ")

  expect(pair).toBe(`${name}=secret`)
  expect(rest.toSorted()).toEqual(attributes(path, isSecure))
  expect(others).toEqual([])
})

it.each([
  ["https://footfall.example", "/v1/auth"],
  ["https://acme.example/visitors", "/visitors/v1/auth"],
])("a browser at %s loses the cookie without a prefix if it has one", async (url, path) => {
  const [, old = ""] = await setCookies(url, "held=before; other=1")

  expect(old).toMatch(/^held=; /)
  expect(old.split("; ")).toEqual(expect.arrayContaining(["Max-Age=0", `Path=${path}`]))
})

it("a cookie that never has a prefix is only set", async () => {
  expect(await setCookies("http://localhost:4100", "held=before")).toHaveLength(1)
})
