// Every method of the SDK for segments, once against the real server (spec 5.4). test/visitors tests the rest.
import { BadRequestError, Footfall, NotFoundError, type RuleAst } from "@footfall/sdk"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let sdk: Footfall

beforeAll(async () => {
  server = await startServer({ workers: false })
  sdk = server.sdk
})
afterAll(() => server.close())

const ruleAst: RuleAst = {
  version: 1,
  window: "7d",
  rule: { any: [{ field: "custom.plan", op: "in", value: ["trial", "team"] }] },
}

describe("segments", () => {
  it("are created, read, changed, listed and deleted", async () => {
    const made = await sdk.segments.create({ name: "On trial", ruleAst })
    const other = await sdk.segments.create({ name: "Second", description: "two", ruleAst })
    const changed = await sdk.segments.update(made.id, { description: "plans that may grow" })
    const names = []
    for await (const { name } of sdk.segments.list({ limit: 1 })) names.push(name)

    expect(made).toMatchObject({ name: "On trial", description: null, ruleAst, createdBy: null })
    expect(await sdk.segments.get(made.id)).toEqual(changed)
    expect(changed).toMatchObject({ name: "On trial", description: "plans that may grow" })
    expect(names).toEqual(["Second", "On trial"])
    expect((await sdk.segments.list({ offset: 1 })).meta).toMatchObject({ total: 2, offset: 1 })
    expect(await sdk.segments.delete(other.id)).toEqual({ deleted: true })
    await expect(sdk.segments.get(other.id)).rejects.toThrow(NotFoundError)
  })

  it("accept an access token if there is no key, and then contain their creator", async () => {
    const { accessToken, userId } = await server.makeUser("member")
    const member = new Footfall({ baseUrl: server.url, accessToken })

    expect(await member.segments.create({ name: "Mine", ruleAst })).toMatchObject({
      createdBy: userId,
    })
  })

  it("are previewed before they are saved", async () => {
    expect(await sdk.segments.preview({ ruleAst, pixelId: server.pixelId })).toEqual({
      count: 0,
      sample: [],
      companies: [],
    })
  })

  it("with an invalid rule are a BadRequestError that points at the node", async () => {
    // The compiler can't see this rule, but the server does.
    const wrong = {
      ...ruleAst,
      rule: { all: [{ field: "company.name", op: "atleast", value: 1 }] },
    }
    const refused = sdk.segments.create({ name: "Wrong", ruleAst: wrong as unknown as RuleAst })

    await expect(refused).rejects.toThrow(BadRequestError)
    await expect(refused).rejects.toMatchObject({
      code: "INVALID_RULE",
      invalidRule: { path: "/rule/all/0/op", reason: "unknown_operator" },
    })
  })
})
