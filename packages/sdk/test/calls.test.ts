// Every call of the client as the server receives it: method, path, query, body, and the one
// credential that its endpoint accepts. One row per endpoint of spec 5.1 to 5.4, 5.7, 5.8 and 5.12
// to 5.14.

import { expect, it, describe } from "vitest"
import { Footfall, type RuleAst } from "../src/index.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import type { Row } from "./support/call-row.ts"
import { byAnyone, intentByEither, intentByKey } from "./support/intent-calls.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { succeed } from "./support/steps.ts"

const id = "cdd19037-47fb-4e21-a054-2da787925aea"
const userId = "70865832-8a6e-409c-95c5-d15bafae1a05"
const hash = "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9"
const sessionId = "44b6a991119bf729d7f1e78f8c987b26"
const ruleAst: RuleAst = {
  version: 1,
  window: "30d",
  rule: { all: [{ field: "behavior.pageviews", op: "gte", value: 3 }] },
}

/** K: sends the key, even if there is a token. */
const byKey: ReadonlyArray<Row> = [
  [
    "fileImports.plan",
    (f) =>
      f.fileImports.plan("suppression-rules", "domain\n", {
        mode: "replace",
        types: ["domain", "industry"],
        name: "rules.csv",
      }),
    {
      line: "POST /v1/data/import/suppression-rules/plan",
      query: { mode: "replace", types: "domain,industry", name: "rules.csv" },
    },
  ],
  [
    "fileImports.apply",
    (f) => f.fileImports.apply("suppression-rules", { importId: id, allowRemovals: 3 }),
    {
      line: "POST /v1/data/import/suppression-rules/apply",
      body: { importId: id, allowRemovals: 3 },
    },
  ],
  [
    "fileImports.drop",
    (f) => f.fileImports.drop("suppression-rules", id),
    { line: `DELETE /v1/data/import/suppression-rules/${id}` },
  ],
  ["visitors.list", (f) => f.visitors.list(), { line: "GET /v1/data" }],
  [
    "visitors.get",
    (f) => f.visitors.get({ email: "jane@harbor.example" }),
    { line: "GET /v1/data", query: { email: "jane@harbor.example" } },
  ],
  [
    "visitors.query by rule",
    (f) =>
      f.visitors.query({ ruleAst, pixelId: id, window: "7d", limit: 10, suppressed: "exclude" }),
    {
      line: "POST /v1/data/query",
      body: { ruleAst, pixelId: id, window: "7d", limit: 10, suppressed: "exclude" },
    },
  ],
  [
    "visitors.query by segment",
    (f) => f.visitors.query({ segmentId: id, page: 2 }),
    { line: "POST /v1/data/query", body: { segmentId: id, page: 2 } },
  ],
  [
    "companies.query",
    (f) => f.companies.query({ ruleAst, window: "7d", limit: 10 }),
    { line: "POST /v1/data/companies/query", body: { ruleAst, window: "7d", limit: 10 } },
  ],
  [
    "visitors.sessions",
    (f) => f.visitors.sessions(hash, { timeframe: "90d", limit: 10, pixelId: id, cursor: "c" }),
    {
      line: `GET /v1/data/visitors/${hash}/sessions`,
      query: { timeframe: "90d", limit: "10", pixelId: id, cursor: "c" },
    },
  ],
  ["visitors.erase", (f) => f.visitors.erase(hash), { line: `DELETE /v1/data/visitors/${hash}` }],
  [
    "visitors.erase with suppression",
    (f) => f.visitors.erase(hash, { suppress: true }),
    { line: `DELETE /v1/data/visitors/${hash}`, query: { suppress: "true" } },
  ],
  [
    "linkTokens.create",
    (f) => f.linkTokens.create({ people: [{ email: "a@b.example" }], expiresInDays: 30 }),
    {
      line: "POST /v1/data/link-tokens",
      body: { people: [{ email: "a@b.example" }], expiresInDays: 30 },
    },
  ],
  ["pixels.list", (f) => f.pixels.list(), { line: "GET /v1/data/pixels" }],
  [
    "pixels.create",
    (f) => f.pixels.create({ domain: "tidewater.example", settings: { spa: "hash" } }),
    {
      line: "POST /v1/data/pixels",
      body: { domain: "tidewater.example", settings: { spa: "hash" } },
    },
  ],
  ["pixels.get", (f) => f.pixels.get(id), { line: `GET /v1/data/pixels/${id}` }],
  [
    "pixels.update",
    (f) => f.pixels.update(id, { status: "paused", excludedPaths: null, settings: { spa: null } }),
    {
      line: `PATCH /v1/data/pixels/${id}`,
      body: { status: "paused", excludedPaths: null, settings: { spa: null } },
    },
  ],
  ["pixels.delete", (f) => f.pixels.delete(id), { line: `DELETE /v1/data/pixels/${id}` }],
  ["pixels.verify", (f) => f.pixels.verify(id), { line: `POST /v1/data/pixels/${id}/verify` }],
  [
    "pixels.suggestTopics",
    (f) => f.pixels.suggestTopics(id, { url: "https://tidewater.example/" }),
    {
      line: `POST /v1/data/pixels/${id}/suggest-topics`,
      body: { url: "https://tidewater.example/" },
    },
  ],
  ["account.get", (f) => f.account.get(), { line: "GET /v1/data/account" }],
  ...intentByKey,
]

/** BK: sends the key, or the token if there is no key. */
const byEither: ReadonlyArray<Row> = [
  [
    "erasures.list",
    (f) => f.erasures.list({ limit: 10 }),
    { line: "GET /v1/data/erasures", query: { limit: "10" } },
  ],
  ["erasures.get", (f) => f.erasures.get("id"), { line: "GET /v1/data/erasures/id" }],
  [
    "visitors.sessions.events",
    (f) => f.visitors.sessions.events(hash, sessionId, { limit: 10, cursor: "c" }),
    {
      line: `GET /v1/data/visitors/${hash}/sessions/${sessionId}/events`,
      query: { limit: "10", cursor: "c" },
    },
  ],
  [
    "companies.sessions.events",
    (f) => f.companies.sessions.events("harbor.example", sessionId),
    { line: `GET /v1/data/companies/harbor.example/sessions/${sessionId}/events` },
  ],
  [
    "segments.list",
    (f) => f.segments.list({ limit: 10, offset: 20 }),
    { line: "GET /v1/data/segments", query: { limit: "10", offset: "20" } },
  ],
  [
    "segments.create",
    (f) => f.segments.create({ name: "Buyers", ruleAst }),
    { line: "POST /v1/data/segments", body: { name: "Buyers", ruleAst } },
  ],
  ["segments.get", (f) => f.segments.get(id), { line: `GET /v1/data/segments/${id}` }],
  [
    "segments.update",
    (f) => f.segments.update(id, { description: null }),
    { line: `PATCH /v1/data/segments/${id}`, body: { description: null } },
  ],
  ["segments.delete", (f) => f.segments.delete(id), { line: `DELETE /v1/data/segments/${id}` }],
  [
    "segments.preview",
    (f) => f.segments.preview({ ruleAst, pixelId: id }),
    { line: "POST /v1/data/segments/preview", body: { ruleAst, pixelId: id } },
  ],
  ...intentByEither,
]

/** B: sends the token, even if there is a key. */
const byToken: ReadonlyArray<Row> = [
  [
    "auth.logout",
    (f) => f.auth.logout({ refreshToken: "r" }),
    { line: "POST /v1/auth/logout", body: { refreshToken: "r" } },
  ],
  [
    "auth.logout without a token",
    (f) => f.auth.logout(),
    { line: "POST /v1/auth/logout", body: {} },
  ],
  ["auth.me", (f) => f.auth.me(), { line: "GET /v1/auth/me" }],
  [
    "auth.getDeviceLogin",
    (f) => f.auth.getDeviceLogin({ userCode: "WDJB-MJHT" }),
    { line: "GET /v1/auth/device", query: { userCode: "WDJB-MJHT" } },
  ],
  [
    "auth.decideDeviceLogin",
    (f) => f.auth.decideDeviceLogin({ userCode: "WDJB-MJHT", approve: false }),
    { line: "POST /v1/auth/device/approve", body: { userCode: "WDJB-MJHT", approve: false } },
  ],
  [
    "auth.changePassword",
    (f) => f.auth.changePassword({ currentPassword: "p", newPassword: "q", refreshToken: "r" }),
    {
      line: "POST /v1/auth/password",
      body: { currentPassword: "p", newPassword: "q", refreshToken: "r" },
    },
  ],
  [
    "auditLog.list",
    (f) => f.auditLog.list({ limit: 10, actor: "system", action: "pixel", cursor: "c" }),
    {
      line: "GET /v1/audit-log",
      query: { limit: "10", actor: "system", action: "pixel", cursor: "c" },
    },
  ],
  [
    "auth.join",
    (f) => f.auth.join({ token: "t" }),
    { line: "POST /v1/auth/join", body: { token: "t" } },
  ],
  [
    "organizations.list",
    (f) => f.organizations.list({ cursor: "c" }),
    { line: "GET /v1/organizations", query: { cursor: "c" } },
  ],
  [
    "organizations.create",
    (f) => f.organizations.create({ name: "Tidewater", slug: "tidewater" }),
    { line: "POST /v1/organizations", body: { name: "Tidewater", slug: "tidewater" } },
  ],
  ["organizations.get", (f) => f.organizations.get(id), { line: `GET /v1/organizations/${id}` }],
  [
    "organizations.update",
    (f) => f.organizations.update(id, { settings: { retentionDays: null } }),
    { line: `PATCH /v1/organizations/${id}`, body: { settings: { retentionDays: null } } },
  ],
  ["members.list", (f) => f.members.list(id), { line: `GET /v1/organizations/${id}/members` }],
  [
    "members.add",
    (f) => f.members.add(id, { email: "a@b.example", role: "viewer" }),
    {
      line: `POST /v1/organizations/${id}/members`,
      body: { email: "a@b.example", role: "viewer" },
    },
  ],
  [
    "members.invite",
    (f) => f.members.invite({ organizationId: id, userId }),
    { line: `POST /v1/organizations/${id}/members/${userId}/invitation` },
  ],
  [
    "members.update",
    (f) => f.members.update({ organizationId: id, userId }, { role: "owner" }),
    { line: `PATCH /v1/organizations/${id}/members/${userId}`, body: { role: "owner" } },
  ],
  [
    "members.remove",
    (f) => f.members.remove({ organizationId: id, userId }),
    { line: `DELETE /v1/organizations/${id}/members/${userId}` },
  ],
  ["apiKeys.list", (f) => f.apiKeys.list(), { line: "GET /v1/api-keys" }],
  [
    "apiKeys.create",
    (f) => f.apiKeys.create({ name: "CRM" }),
    { line: "POST /v1/api-keys", body: { name: "CRM" } },
  ],
  ["apiKeys.revoke", (f) => f.apiKeys.revoke(id), { line: `DELETE /v1/api-keys/${id}` }],
  [
    "imports.run",
    (f) => f.imports.run("identity-links", "{}\n", { format: "ndjson", shared: false }),
    { line: "POST /v1/admin/import/identity-links", query: { shared: "false" } },
  ],
]

/** PUB, no credentials needed: sends none, even if there are some. */
const withoutCredentials: ReadonlyArray<Row> = [
  [
    "auth.login",
    (f) => f.auth.login({ email: "a@b.example", password: "p", organizationId: id }),
    {
      line: "POST /v1/auth/login",
      body: { email: "a@b.example", password: "p", organizationId: id },
    },
  ],
  [
    "auth.refresh",
    (f) => f.auth.refresh({ refreshToken: "r" }),
    { line: "POST /v1/auth/refresh", body: { refreshToken: "r" } },
  ],
  [
    "auth.acceptInvite",
    (f) => f.auth.acceptInvite({ token: "t", password: "p", name: "Jane" }),
    { line: "POST /v1/auth/accept-invite", body: { token: "t", password: "p", name: "Jane" } },
  ],
  [
    "auth.invitation",
    (f) => f.auth.invitation({ token: "t" }),
    { line: "POST /v1/auth/invitation", body: { token: "t" } },
  ],
  [
    "auth.startDeviceLogin",
    (f) => f.auth.startDeviceLogin({ clientName: "n" }),
    { line: "POST /v1/auth/device", body: { clientName: "n" } },
  ],
  [
    "auth.deviceTokens",
    (f) => f.auth.deviceTokens({ deviceCode: "d" }),
    { line: "POST /v1/auth/device/token", body: { deviceCode: "d" } },
  ],
  [
    "auth.requestPasswordReset",
    (f) => f.auth.requestPasswordReset({ email: "a@b.example" }),
    { line: "POST /v1/auth/password/reset-request", body: { email: "a@b.example" } },
  ],
  [
    "auth.resetPassword",
    (f) => f.auth.resetPassword({ token: "t", newPassword: "p" }),
    { line: "POST /v1/auth/password/reset", body: { token: "t", newPassword: "p" } },
  ],
]

const rows = [...byKey, ...byEither, ...byAnyone, ...byToken, ...withoutCredentials]

it.each(rows)("%s sends its request and returns the data", async (name, call, sent) => {
  const data = [{ id: "given" }]
  await using server = await scriptedServer([succeed(data, { nextCursor: null })])

  const called = call(new Footfall({ apiKey, accessToken, baseUrl: server.baseUrl }))
  const given = await called

  const [{ method, path, query, body, headers } = expect.fail(name)] = server.received
  expect([given, Object(given).data]).toContainEqual(data)
  expect(`${method} ${path}`).toBe(sent.line)
  expect(called).toHaveProperty("withResponse", expect.any(Function))
  expect(Object.fromEntries(query)).toEqual(sent.query ?? {})
  if (name !== "imports.run" && name !== "fileImports.plan") {
    expect(body === "" ? undefined : JSON.parse(body)).toEqual(sent.body)
    expect(headers["content-type"]).toBe(body === "" ? undefined : "application/json")
  }
})

describe("with a key and a token", () => {
  it.each([...byKey, ...byEither, ...byAnyone])("%s sends only the key", async (_name, call) => {
    expect(await sentCredentials({ apiKey, accessToken }, call)).toEqual({ key: apiKey })
  })

  it.each(byToken)("%s sends only the token", async (_name, call) => {
    expect(await sentCredentials({ apiKey, accessToken }, call)).toEqual({ token: accessToken })
  })

  it.each(withoutCredentials)("%s sends neither", async (_name, call) => {
    expect(await sentCredentials({ apiKey, accessToken }, call)).toEqual({})
  })
})

describe("with one of the two", () => {
  it.each([...byEither, ...byAnyone])(
    "%s sends the token if there is no key",
    async (_name, call) => {
      expect(await sentCredentials({ accessToken }, call)).toEqual({ token: accessToken })
    },
  )

  it.each(byKey)("%s without a key fails before anything is sent", async (_name, call) => {
    await expectMissing({ accessToken }, call, "FOOTFALL_API_KEY")
  })

  it.each(byToken)("%s without a token fails before anything is sent", async (_name, call) => {
    await expectMissing({ apiKey }, call, "FOOTFALL_ACCESS_TOKEN")
  })
})

it.each(byEither)("%s with neither names both in its error", async (_name, call) => {
  await expectMissing({}, call, "FOOTFALL_API_KEY or FOOTFALL_ACCESS_TOKEN")
})

it.each(byAnyone)("%s with neither sends nothing", async (_name, call) => {
  expect(await sentCredentials({}, call)).toEqual({})
})

type Given = { readonly apiKey?: string; readonly accessToken?: string }

async function sentCredentials(given: Given, call: Row[1]) {
  await using server = await scriptedServer([succeed([], { nextCursor: null })])
  await call(new Footfall({ ...given, baseUrl: server.baseUrl }))
  const { headers } = server.received[0] ?? expect.fail("nothing was sent")
  const key = headers["x-api-key"]
  const token = headers.authorization?.replace(/^Bearer /, "")
  return { ...(key !== undefined && { key }), ...(token !== undefined && { token }) }
}

async function expectMissing(given: Given, call: Row[1], variable: string) {
  await using server = await scriptedServer([])
  const failed = async () => call(new Footfall({ ...given, baseUrl: server.baseUrl }))
  await expect(failed).rejects.toMatchObject({
    name: "ConfigurationError",
    code: "CREDENTIALS_MISSING",
    message: expect.stringContaining(variable),
  })
  expect(server.received).toHaveLength(0)
}
