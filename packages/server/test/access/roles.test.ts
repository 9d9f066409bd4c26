// Every operation of the API with every kind of credentials (spec 7). The operations come from the HttpApi value, so a
// new route must be in the table and follow it.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Role } from "../../src/access/role.ts"
import { Api } from "../../src/app/api.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Code, operationCodes } from "./operation-codes.ts"
import { caller, type Credentials } from "./request.ts"

const operations = Object.values(Api.groups)
  .flatMap((group) => Object.values(group.endpoints))
  .map(({ method, path }) => `${method} ${path.replace(/:[A-Za-z]+/g, "{}")}`)
  .toSorted()

const roles = ["viewer", "member", "admin", "owner"] as const satisfies ReadonlyArray<Role>
type Bearer = "none" | "wrong" | Role
type Key = "none" | "wrong" | "good"
type Outcome = "passes" | 401 | 403

const required: Readonly<Partial<Record<Code, Role>>> = {
  "B+": "member",
  "BK+": "member",
  "B admin": "admin",
  "B owner": "owner",
}

/** The expected outcome for a code and a pair of credentials, from the tables of spec 7. */
const outcomeOf = (code: Code, bearer: Bearer, key: Key): Outcome => {
  if (code === "PUB") return "passes"
  if (code === "cookie") return 401
  if (code === "PUB?" && bearer === "none" && key === "none") return "passes"
  const byKey = key === "good" ? "passes" : 401
  if (code === "K") return byKey
  if ((code.startsWith("BK") || code === "PUB?") && bearer === "none") return byKey
  if (bearer === "none" || bearer === "wrong") return 401
  const least = required[code]
  return least === undefined || roles.indexOf(bearer) >= roles.indexOf(least) ? "passes" : 403
}

let server: TestServer
let call: ReturnType<typeof caller>
let tokens: Readonly<Record<Bearer, string | undefined>>
let apiKeys: Readonly<Record<Key, string | undefined>>
beforeAll(async () => {
  server = await startServer({ workers: false })
  call = caller(server)
  const users = await Promise.all(roles.map((role) => server.makeUser(role)))
  const [viewer, member, admin, owner] = users.map(({ accessToken }) => accessToken)
  const wrong = `${owner!.slice(0, -4)}AAAA`
  tokens = {
    none: undefined,
    wrong,
    viewer: viewer!,
    member: member!,
    admin: admin!,
    owner: owner!,
  }
  apiKeys = { none: undefined, wrong: `sk_${"0".repeat(43)}`, good: server.apiKey }
})
afterAll(() => server.close())

/** Its ids don't exist and its body is invalid, so an allowed request gets 400 or 404 and changes nothing. */
const ask = async (operation: string, credentials: Credentials) => {
  const [method, template] = operation.split(" ")
  const path = template!.replace("visitors/{}", `visitors/${"a".repeat(64)}`)
  const body = method === "GET" ? undefined : {}
  return call(`${method} ${path.replaceAll("{}", () => randomUUID())}`, body, credentials)
}

it("every operation of the API is in the table", () => {
  expect(operations.filter((operation) => !(operation in operationCodes))).toEqual([])
})

describe.each(operations.filter((operation) => operation in operationCodes))("%s", (operation) => {
  const code = operationCodes[operation]!

  it(`is ${code} for every pair of credentials`, async () => {
    for (const bearer of ["none", "wrong", ...roles] as const) {
      for (const key of ["none", "wrong", "good"] as const) {
        const answer = await ask(operation, { token: tokens[bearer], apiKey: apiKeys[key] })
        const { status } = answer
        // A refused link doesn't mention credentials.
        const isRefused =
          status === 401 || (status === 403 && answer.body.error.code !== "LINK_EXPIRED")
        const outcome = isRefused ? status : "passes"

        expect({ bearer, key, outcome }).toEqual({
          bearer,
          key,
          outcome: outcomeOf(code, bearer, key),
        })
        expect(status).toBeLessThan(500)
        expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null)
        if (outcome === 403) {
          expect(answer.body.error).toMatchObject({
            code: "FORBIDDEN",
            details: { required: required[code] },
          })
        }
      }
    }
  })

  it("accepts no key as bearer token, in the URL, or under another scheme", async () => {
    if (code === "PUB") return
    const withKeyIn = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await ask(`${operation}${path}`, { headers })).status

    expect(await withKeyIn("", { authorization: `Bearer ${server.apiKey}` })).toBe(401)
    expect(await withKeyIn("", { authorization: `ApiKey ${server.apiKey}` })).toBe(401)
    const without = await withKeyIn("", {})
    expect(await withKeyIn(`?x-api-key=${server.apiKey}`, {})).toBe(without)
    expect(await withKeyIn(`?api_key=${server.apiKey}`, {})).toBe(without)
    expect(await withKeyIn("", { cookie: `x-api-key=${server.apiKey}` })).toBe(without)
    expect(without === 401).toBe(code !== "PUB?")
  })
})

it("a 401 says which credentials the endpoint accepts", async () => {
  const told = async (operation: string, headers: Readonly<Record<string, string>> = {}) => {
    const { error } = (await call(operation, undefined, { headers })).body
    return (error as { readonly message?: string }).message
  }

  expect(await told("GET /v1/data/pixels")).toMatch(/API key/)
  expect(await told("GET /v1/auth/me")).toMatch(/access token/)
  expect(await told("GET /v1/data/segments")).toMatch(/access token or API key/)
  expect(await told("GET /v1/data/segments", { "x-api-key": "sk_wrong" })).toMatch(
    /access token or API key/,
  )
  expect(await told("GET /v1/data/segments", { authorization: "Bearer x" })).toMatch(/access token/)
})

describe("unusual credentials have one outcome", () => {
  const asKeyed = async (headers: Readonly<Record<string, string>>) =>
    (await call("GET /v1/data/pixels", undefined, { headers })).status
  const asUser = async (headers: Readonly<Record<string, string>>) =>
    (await call("GET /v1/auth/me", undefined, { headers })).status

  it("the names of the header and the scheme ignore case", async () => {
    expect(await asKeyed({ "X-API-KEY": server.apiKey })).toBe(200)
    expect(await asUser({ AUTHORIZATION: `BEARER ${tokens.viewer}` })).toBe(200)
    expect(await asUser({ authorization: `bearer ${tokens.viewer}` })).toBe(200)
  })

  it("two keys in two headers are rejected", async () => {
    expect(await asKeyed({ "x-api-key": `${server.apiKey}, ${server.apiKey}` })).toBe(401)
  })

  it("two tokens in one header are rejected", async () => {
    expect(await asUser({ authorization: `Bearer ${tokens.viewer}, Bearer ${tokens.owner}` })).toBe(
      401,
    )
  })

  it("an empty header is ignored", async () => {
    expect(await asKeyed({ "x-api-key": "" })).toBe(401)
    expect(await asUser({ authorization: "" })).toBe(401)
    expect(await asUser({ authorization: "Bearer" })).toBe(401)
    expect(await asUser({ authorization: "Bearer " })).toBe(401)
  })
})
