// An international address has several spellings, and all of them are one person (spec 1.5).
import { Footfall } from "@footfall/sdk"
import { hash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { makeSource } from "../sources/source.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { presentBatch, presentEvent, send } from "../visits/send.ts"

let server: TestServer
let source: Awaited<ReturnType<typeof makeSource>>
let owner: Footfall
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await makeSource(server)
  const { accessToken } = await server.makeUser("owner", source.organizationId)
  owner = new Footfall({ baseUrl: server.url, accessToken })
})

const unicode = "siri@smørbrød.example"
const ascii = "siri@xn--smrbrd-cyad.example"
const spellings = [unicode, ascii, "SIRI@SMØRBRØD.example", "siri@ｓmørbrød。example"]

const identify = (email: string) =>
  source.batch({ type: "identify", anonymousId: randomUUID(), traits: { email } })

const identifyByHash = (text: string) => {
  const url = `https://${source.domain}/pricing`
  const event = presentEvent({ type: "identify", url, emailHash: hash("sha256", text) })
  const target = { url: server.url, pixelId: source.pixelId }
  return send(target, JSON.stringify(presentBatch({ events: [event] })))
}

const credits = () =>
  server.sql("select sum(used)::int as used from credit_month where organization_id = $1", [
    source.organizationId,
  ])

describe("a person", () => {
  it("in every spelling is one visitor and one credit, found in every spelling", async () => {
    for (const email of spellings) {
      await identify(email)
      await server.drain()
    }

    expect(await source.visitors()).toMatchObject([{ email: ascii, sessions: spellings.length }])
    expect(await credits()).toEqual([{ used: 1 }])
    for (const email of spellings) {
      expect(await source.sdk.visitors.get({ email })).toMatchObject({ email: ascii })
    }
  })

  it.each([
    ["after", [() => identify(ascii), () => identifyByHash(unicode)]],
    ["before", [() => identifyByHash(unicode), () => identify(ascii)]],
  ])("is the same by the hash of the other spelling, %s the address is known", async (_, steps) => {
    for (const step of steps) {
      await step()
      await server.drain()
    }

    expect(await source.visitors()).toMatchObject([{ email: ascii, sessions: 2 }])
    expect(await credits()).toEqual([{ used: 1 }])
  })

  it.each([
    [unicode, ascii],
    [ascii, unicode],
  ])("erased as %s stays erased as %s, and by both hashes", async (erased, other) => {
    await identify(erased)
    await server.drain()
    const [visitor] = await source.visitors()
    await source.sdk.visitors.erase(visitor!.emailHash)

    await identify(other)
    await identifyByHash(unicode)
    await identifyByHash(ascii)

    expect(await source.visitors()).toEqual([])
    expect(await credits()).toEqual([{ used: 1 }])
  })

  it("erased by an earlier version, in its spelling, is brought back by no other", async () => {
    await identifyByHash(unicode)
    await server.drain()
    const [visitor] = await source.visitors()
    await source.sdk.visitors.erase(visitor!.emailHash)

    await identify(ascii)
    const people = `${JSON.stringify({ email: ascii, firstName: "Siri" })}\n`
    const imported = await owner.imports.run("people", people, { format: "ndjson" })

    expect(await source.visitors()).toEqual([])
    expect(imported).toMatchObject({ inserted: 0 })
  })

  it("whom an earlier version stored once for each spelling becomes one, with one credit", async () => {
    const { organizationId } = source
    await identify("siri@old.example")
    await identify(ascii)
    await server.drain()
    const decomposed = hash("sha256", "si\u0301ri@smørbrød.example")
    await server.sql(
      `with stored as (
         update visitor set email = null, email_hash = $2
         where organization_id = $1 and email = 'siri@old.example'
       ), known as (
         update visitor_address set email = null, email_hash = $2
         where organization_id = $1 and email = 'siri@old.example'
       )
       insert into person_address (organization_id, email_hash, person_hash, is_link)
       values ($1, $2, $3, true)`,
      [organizationId, decomposed, hash("sha256", ascii)],
    )
    await server.sql("insert into spelling_join values ($1, $2)", [
      organizationId,
      hash("sha256", ascii),
    ])

    await expect
      .poll(async () => (await source.visitors()).map(({ email, sessions }) => [email, sessions]))
      .toEqual([[ascii, 2]])
    expect(await server.sql("select from spelling_join")).toEqual([])
    expect(
      await server.sql("select count(*)::int as credits from credit where organization_id = $1", [
        organizationId,
      ]),
    ).toEqual([{ credits: 1 }])
  })
})

describe("a suppression rule", () => {
  it("is one rule in every spelling, stored in ASCII and found by either", async () => {
    const rules = spellings.map((value) => ({ type: "email" as const, value }))
    const added = await source.sdk.suppression.add(rules)
    await source.sdk.suppression.add([{ type: "industry", value: "Bücher" }])

    expect(added).toMatchObject({ added: 1, duplicates: spellings.length - 1 })
    const found = async (q: string) =>
      (await source.sdk.suppression.list({ q })).data.map(({ value }) => value)
    expect(await found("Siri@Smørbrød.example")).toEqual([ascii])
    expect(await found("smørbrød.example")).toEqual([ascii])
    expect(await found("xn--smrbrd")).toEqual([ascii])
    expect(await found("bücher")).toEqual(["bücher"])
  })
})
