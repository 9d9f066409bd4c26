// Page views under a path and custom events, from the browser to a rule (spec 3.3): what identification keeps is what
// rules count.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../../support/server.ts"
import { presentBatch, presentEvent, send } from "../../visits/send.ts"
import { ask } from "./scene.ts"

const email = "jane@harbor.example"
const site = "https://tidewater.example"

let server: TestServer
let organization: TestOrganization

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
})

/** One visit of one person, in as many batches as given. */
const visit = async (...batches: ReadonlyArray<ReadonlyArray<object>>) => {
  const anonymousId = randomUUID()
  for (const events of [[{ type: "identify", email }], ...batches]) {
    const sent = events.map((event) => presentEvent({ url: `${site}/`, ...event }))
    await send(
      { url: server.url, pixelId: organization.pixelId },
      JSON.stringify(presentBatch({ anonymousId, events: sent })),
    )
    await server.drain()
  }
}

const page = (path: string) => ({ type: "page", url: `${site}${path}` })
const track = (name: string, props: object = {}) => ({ type: "track", name, props })

/** How many people match. */
const found = async (field: string, of: string, op: string, value: unknown) => {
  const ruleAst = { version: 1, rule: { field, of, op, value } }
  const { data, error } = await ask(server, { ruleAst }, { key: organization.apiKey })
  expect(error).toBeUndefined()
  return data.length
}

describe("a rule", () => {
  it("counts the page views below a path, across batches and spellings", async () => {
    await visit(
      [page("/pricing"), page("/pricing/teams?a=1"), page("/pricings")],
      [page("/Pricing/"), page("/%70ricing"), page("/app/7/settings"), page("/app/settings")],
      [page("/app/")],
    )

    expect(await found("behavior.path_views", "/pricing", "eq", 4)).toBe(1)
    expect(await found("behavior.path_views", "/PRICING/", "eq", 4)).toBe(1)
    expect(await found("behavior.path_views", "/app/*/settings", "eq", 1)).toBe(1)
    expect(await found("behavior.path_views", "/app/*", "eq", 2)).toBe(1)
    expect(await found("behavior.path_views", "/$", "eq", 0)).toBe(1)
    expect(await found("behavior.path_views", "/pric", "eq", 0)).toBe(1)
  })

  it("counts custom events by their exact name", async () => {
    await visit([track("Signed up"), track("signed up")], [track("Signed up")])

    expect(await found("behavior.event_count", "Signed up", "eq", 2)).toBe(1)
    expect(await found("behavior.event_count", "SIGNED UP", "exists", true)).toBe(1)
    expect(await found("behavior.event_count", "SIGNED UP", "gte", 1)).toBe(0)
  })

  it("compares a property of one custom event, cut at the last dot", async () => {
    await visit(
      [track("Plan v1.0", { plan: "Pro", seats: 3 })],
      [track("Plan v1.0", { plan: "free", seats: 30, trial: false }), track("Other", { seats: 9 })],
    )
    await visit([track("Plan v1.0", { plan: "free" })])
    const property = (op: string, value: unknown, name = "plan") =>
      found("behavior.event_property", `Plan v1.0.${name}`, op, value)

    expect(await property("eq", "pro")).toBe(1)
    expect(await property("neq", "pro")).toBe(0)
    expect(await property("neq", "team")).toBe(1)
    expect(await property("between", [4, 29], "seats")).toBe(0)
    expect(await property("gt", 29, "seats")).toBe(1)
    expect(await property("eq", "3", "seats")).toBe(0)
    expect(await property("eq", "false", "trial")).toBe(1)
    expect(await property("exists", false, "Plan")).toBe(1)
  })

  it("counts what it counted when the events are gone", async () => {
    await visit([page("/pricing"), track("Signed up", { plan: "pro" })])
    await server.sql("delete from event where organization_id = $1", [organization.organizationId])

    expect(await found("behavior.path_views", "/pricing", "eq", 1)).toBe(1)
    expect(await found("behavior.event_property", "Signed up.plan", "eq", "pro")).toBe(1)
  })

  it("takes any text as a name", async () => {
    await visit([track("__proto__", { constructor: 1 })])

    expect(await found("behavior.event_property", "__proto__.constructor", "eq", 1)).toBe(1)
    for (const of of ["'; drop table visitor; --.x", "%_\\.x", "a\u0007(*?[.x", "\u0301$1.x"]) {
      expect(await found("behavior.event_property", of, "eq", of)).toBe(0)
      expect(await found("behavior.event_count", of, "gte", 1)).toBe(0)
      expect(await found("behavior.path_views", `/${of}/*`, "gte", 1)).toBe(0)
    }
  })
})
