// The effect of rules, and why a person is suppressed (spec 2.6, 5.5).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { request as ask, rulesPath as path } from "./request.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { insertPerson, type Person, sha256 } from "./visitors.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

const call = (method: string, target: string, body?: unknown) =>
  ask(server, tenant, { method, path: target, body })
const preview = async (rules: ReadonlyArray<unknown>) =>
  (await call("POST", `${path}/preview`, { rules })).data
const why = (visitorId: string) => call("GET", `/v1/data/visitors/${visitorId}/suppression`)
const person = (given: Person) => insertPerson(server, tenant, given)

const jane: Person = {
  emails: ["jane@harbor.example", "jane@mail.example"],
  companyDomain: "harbor-logistics.example",
  industry: "maritime transportation",
}

describe("a rule matches a person", () => {
  it.each([
    ["by the primary address", { type: "email", value: "Jane@Harbor.example" }, true],
    ["by any other address", { type: "email", value: "jane@mail.example" }, true],
    ["by the domain of the primary address", { type: "domain", value: "harbor.example" }, true],
    ["not by the domain of another address", { type: "domain", value: "mail.example" }, false],
    ["not by a parent domain", { type: "domain", value: "example.example" }, false],
    ["not by a subdomain", { type: "domain", value: "mail.harbor.example" }, false],
    ["by the company domain", { type: "company_domain", value: "harbor-logistics.example" }, true],
    [
      "not by the email domain as company domain",
      { type: "company_domain", value: "harbor.example" },
      false,
    ],
    [
      "by the industry, ignoring case",
      { type: "industry", value: "MARITIME Transportation" },
      true,
    ],
    ["not by part of the industry", { type: "industry", value: "maritime" }, false],
  ])("%s", async (_, rule, matches) => {
    const visitorId = await person(jane)
    await person({ emails: ["other@elsewhere.example"] })
    const expected = matches ? 1 : 0

    expect((await preview([rule])).affectedVisitors).toBe(expected)
    await call("POST", path, { rules: [rule] })
    expect((await why(visitorId)).data.rules).toHaveLength(expected)
  })

  it("who is known only by hash, by an address with that hash", async () => {
    const visitorId = await person({ hashes: [sha256("anon@harbor.example")] })
    const rule = { type: "email", value: "anon@harbor.example" }

    expect((await preview([rule])).affectedVisitors).toBe(1)
    await call("POST", path, { rules: [rule] })
    expect((await why(visitorId)).data.rules).toMatchObject([rule])
  })
})

describe("the preview", () => {
  it("counts a person once in total, and once for each matching type", async () => {
    await person(jane)
    await person({ emails: ["joe@harbor.example"] })

    expect(
      await preview([
        { type: "email", value: "jane@harbor.example" },
        { type: "email", value: "jane@mail.example" },
        { type: "domain", value: "harbor.example" },
        { type: "industry", value: "maritime transportation" },
        { type: "industry", value: "maritime transportation" },
        { type: "industry" },
      ]),
    ).toEqual({
      wouldAdd: 4,
      duplicates: 1,
      rejectedCount: 1,
      rejected: [{ index: 5, type: "industry", value: null, reason: "empty_value" }],
      affectedVisitors: 2,
      affectedByType: { email: 1, domain: 2, company_domain: 0, industry: 1 },
      sample: [
        { emailHash: sha256("jane@harbor.example"), email: "jane@harbor.example", fullName: null },
        { emailHash: sha256("joe@harbor.example"), email: "joe@harbor.example", fullName: null },
      ].toSorted((one, other) => one.emailHash.localeCompare(other.emailHash)),
    })
  })

  it("names at most 10 people, last seen first, and no one whom a rule suppresses already", async () => {
    for (let days = 1; days <= 12; days++) {
      await person({ emails: [`day${days}@harbor.example`], daysAgo: days })
    }
    await call("POST", path, { rules: [{ type: "email", value: "day2@harbor.example" }] })

    const { sample } = await preview([{ type: "domain", value: "harbor.example" }])

    expect(sample.map(({ email }: { email: string }) => email)).toEqual(
      [1, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((days) => `day${days}@harbor.example`),
    )
  })

  it("leaves out people who match a stored rule, and counts that rule as existing", async () => {
    await person(jane)
    await person({ emails: ["joe@harbor.example"] })
    await call("POST", path, { rules: [{ type: "email", value: "joe@harbor.example" }] })

    expect(
      await preview([
        { type: "domain", value: "harbor.example" },
        { type: "email", value: "JOE@harbor.example" },
      ]),
    ).toMatchObject({ wouldAdd: 1, duplicates: 1, affectedVisitors: 1 })
  })

  it("counts a rule that was removed as one it would add, also before the next cycle", async () => {
    const rules = [{ type: "email", value: "joe@harbor.example" }]
    await call("POST", path, { rules })
    await call("DELETE", path, { rules })

    expect(await preview(rules)).toMatchObject({ wouldAdd: 1, duplicates: 0 })
  })

  it("counts people seen in the last 30 days, except those held back", async () => {
    await person({ emails: ["a@harbor.example"], daysAgo: 29 })
    await person({ emails: ["b@harbor.example"], daysAgo: 31 })
    await person({ emails: ["c@harbor.example"], heldBack: true })

    const { affectedVisitors } = await preview([{ type: "domain", value: "harbor.example" }])

    expect(affectedVisitors).toBe(1)
  })

  it("changes nothing, and includes no one from another organization", async () => {
    await person(jane)
    tenant = await server.makeOrganization()

    const { affectedVisitors } = await preview([{ type: "domain", value: "harbor.example" }])

    expect(affectedVisitors).toBe(0)
    expect((await call("GET", path)).data.total).toBe(0)
  })

  it("is rejected without rules, accepted for 25,000 and rejected for 25,001", async () => {
    const rules = Array.from({ length: 25_001 }, (_, n) => ({
      type: "domain",
      value: `host${n}.example`,
    }))

    expect(await call("POST", `${path}/preview`, { rules: [] })).toMatchObject({ status: 400 })
    expect((await preview(rules.slice(1))).wouldAdd).toBe(25_000)
    expect(await call("POST", `${path}/preview`, { rules })).toMatchObject({ status: 400 })
  })
})

describe("why a person is suppressed", () => {
  it("returns the rules that match now, newest first, and the mark", async () => {
    const visitorId = await person(jane)
    await call("POST", path, { rules: [{ type: "domain", value: "harbor.example" }] })
    await call("POST", path, { rules: [{ type: "email", value: "jane@mail.example" }] })

    const { data, status } = await why(sha256("jane@mail.example"))

    expect(status).toBe(200)
    expect(data.suppressed).toBe(false)
    expect(data.rules.map(({ type }: { type: string }) => type)).toEqual(["email", "domain"])
    expect((await why(visitorId)).data).toEqual(data)
    expect(Object.keys(data.rules[0])).toEqual([
      "id",
      "type",
      "value",
      "createdAt",
      "origin",
      "note",
    ])
  })

  it("returns 404 for an unknown, a foreign and a held-back person", async () => {
    const other = await person(jane)
    const heldBack = await person({ emails: ["c@harbor.example"], heldBack: true })

    expect(await why(heldBack)).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } })
    tenant = await server.makeOrganization()
    expect(await why(other)).toMatchObject({ status: 404 })
    expect(await why(sha256("nobody"))).toMatchObject({ status: 404 })
    expect(await why("nobody")).toMatchObject({ status: 400 })
  })
})

describe("the industries", () => {
  it("come from identified visitors, most visitors first, then by name", async () => {
    for (const industry of ["retail", "retail", "banking", "airlines"]) {
      await person({ emails: [`${Math.random()}@harbor.example`], industry })
    }
    await person({ emails: ["none@harbor.example"] })
    await person({ emails: ["held@harbor.example"], industry: "retail", heldBack: true })
    await call("POST", path, {
      rules: ["Banking", "mining"].map((value) => ({ type: "industry", value })),
    })

    const all = await call("GET", `${path}/industries`)

    expect(all.data).toEqual([
      { value: "retail", visitors: 2, suppressed: false },
      { value: "airlines", visitors: 1, suppressed: false },
      { value: "banking", visitors: 1, suppressed: true },
    ])
    expect(all.meta).toMatchObject({
      visitorsWithoutIndustry: 1,
      suppressedIndustryRules: 2,
      limit: 100,
    })
    expect((await call("GET", `${path}/industries?limit=1`)).data).toHaveLength(1)
  })

  it.each(["0", "1001", "x"])("with limit %s are rejected", async (limit) => {
    expect(await call("GET", `${path}/industries?limit=${limit}`)).toMatchObject({ status: 400 })
  })
})
