// Every method of the SDK for suppression rules, once against the real server (spec 5.5). test/suppression tests the
// rest.
import { type Footfall, NotFoundError, type SuppressionRuleInput } from "@footfall/sdk"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { insertPerson } from "../suppression/visitors.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let sdk: Footfall

beforeAll(async () => {
  server = await startServer({ workers: false, rateLimits: true })
  sdk = server.sdk
})
afterAll(() => server.close())

const domains = (count: number): ReadonlyArray<SuppressionRuleInput> =>
  Array.from({ length: count }, (_, n) => ({ type: "domain", value: `host${n}.example` }))

describe("suppression", () => {
  it("rules are added, listed, replaced and removed", async () => {
    const { suppression } = sdk
    const added = await suppression.add([
      { type: "email", value: " Ops@Tidewater.example " },
      { type: "company_domain", value: "co.uk" },
    ])
    const replaced = await suppression.replace({
      rules: [{ type: "industry", value: "Retail" }],
      types: ["industry"],
    })
    const page = await suppression.list({ limit: 1 })
    const values = []
    for await (const { value } of suppression.list({ limit: 1 })) values.push(value)

    expect(added).toMatchObject({ added: 1, rejectedCount: 1 })
    expect(added.rejected[0]).toMatchObject({ index: 1, reason: "public_suffix" })
    expect(replaced).toMatchObject({ added: 1, removed: 0, total: 2 })
    expect(page.meta).toMatchObject({
      total: 2,
      filteredTotal: 2,
      counts: { email: 1, industry: 1 },
    })
    expect(values).toEqual(["retail", "ops@tidewater.example"])
    expect(await suppression.removeOne(page.data[0]!.id)).toEqual({ deleted: 1, total: 1 })
    await expect(suppression.removeOne(page.data[0]!.id)).rejects.toThrow(NotFoundError)
    expect(
      await suppression.remove({ rules: [{ type: "email", value: "OPS@tidewater.example" }] }),
    ).toEqual({ deleted: 1, total: 0 })
  })

  it("returns what rules would do, why a visitor is suppressed, and the industries", async () => {
    const visitorId = await insertPerson(server, server, {
      emails: ["jane@harbor.example"],
      industry: "retail",
    })
    const rule = { type: "domain", value: "harbor.example" } as const

    expect((await sdk.suppression.preview([rule])).affectedVisitors).toBe(1)
    await sdk.suppression.add([rule])
    expect((await sdk.suppression.ofVisitor(visitorId)).rules).toMatchObject([rule])
    const { data, meta } = await sdk.suppression.industries({ limit: 5 })
    expect(data).toEqual([{ value: "retail", visitors: 1, suppressed: false }])
    expect(meta.limit).toBe(5)
  })

  it("uploads any number of rules in several requests, and a repeat changes nothing", async () => {
    const before = (await sdk.suppression.list()).meta.total
    const first = await sdk.suppression.upload(domains(2_500), { rowsPerRequest: 1_000 })
    const again = await sdk.suppression.upload(domains(2_500))

    expect(first).toMatchObject({ rowsDone: 2_500, added: 2_500, total: before + 2_500 })
    expect(again).toMatchObject({ rowsDone: 2_500, added: 0, duplicates: 2_500 })
  })
})
