// What no vendor sends: guessed tokens, deep and wide JSON, names of prototypes, hostile texts (spec 15.3). Nothing is a
// 500, nothing takes long, and the good record beside it is taken.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { makeVendor, person, sendTo } from "./vendor.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe("tokens", () => {
  it.each([
    "",
    "in_",
    "x",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    `in_${"A".repeat(43)}`,
    "A".repeat(450),
    "__proto__",
    "' or 1=1 --",
  ])("%s opens nothing", async (token) => {
    const send = sendTo(() => `${server.url}/in/${token}`)
    expect([400, 404]).toContain((await send(person())).status)
  })

  it("a leaked one is useless after a rotation without grace", async () => {
    const vendor = await makeVendor(server)
    const leaked = sendTo(
      (() => {
        const { url } = vendor
        return () => url
      })(),
    )
    await vendor.ask("POST", `${vendor.path}/rotate`, { graceHours: 0 })
    await expect.poll(async () => (await leaked(person())).status, { timeout: 30_000 }).toBe(404)
  })

  it("of an API key, a write key and another source's id open nothing", async () => {
    const vendor = await makeVendor(server)
    for (const token of [vendor.apiKey, vendor.id, vendor.pixelId]) {
      expect((await sendTo(() => `${server.url}/in/${token}`)(person())).status).toBe(404)
    }
  })
})

describe("bodies", () => {
  it.each([
    ["deep arrays", "[".repeat(10_000) + "]".repeat(10_000), 400],
    ["deep objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, 400],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), 400],
    ["nothing", "", 400],
    ["a number", "1e999", 400],
    ["half a million numbers", `{"a":[${"0,".repeat(500_000)}0]}`, 200],
    [
      "fifty thousand names",
      `{${Array.from({ length: 50_000 }, (_, at) => `"${at}":1`).join()}}`,
      200,
    ],
    ["a hundred thousand addresses", JSON.stringify({ a: "a@b.example ".repeat(80_000) }), 200],
    ["a megabyte of at signs", JSON.stringify({ a: "@".repeat(1_000_000) }), 200],
  ])("%s", async (_, body, status) => {
    const { send } = await makeVendor(server)
    expect((await send(body)).status).toBe(status)
  })

  it("names of prototypes are names, and change nothing", async () => {
    const { outcomes, send } = await makeVendor(server, {
      mapping: {
        kind: "person",
        fields: { email: "$.__proto__.mail", city: "$.constructor.name" },
      },
    })
    await send(
      '[{"__proto__":{"mail":"p@harbor.example"},"constructor":{"name":"Austin"}},{"a":1}]',
    )

    expect(await outcomes()).toEqual({ person: 1, rejected: 1 })
    expect(({} as Record<string, unknown>)["mail"]).toBeUndefined()
  })

  it("a form with names of prototypes and repeated names is read", async () => {
    const { send } = await makeVendor(server)
    const form = "__proto__=x&__proto__=y&constructor=z&Business+Email=f%40harbor.example"
    const { body, status } = await send(form, {
      "content-type": "application/x-www-form-urlencoded",
    })
    expect([status, body.data]).toEqual([200, { accepted: 1 }])
  })

  it("hostile texts are kept as texts, or not at all", async () => {
    const { outcomes, send, visitors } = await makeVendor(server)
    const texts = [
      "'; drop table visitor; --",
      "<script>alert(1)</script>",
      "a\u0000b",
      "\ud800",
      "\u202etxt",
      "x".repeat(100_000),
      "{{contact.email}}",
      "${jndi:ldap://x}",
      "=cmd|' /C calc'!A0",
    ]
    const records = texts.flatMap((text, at) => [
      person({
        "Business Email": `h${at}@harbor.example`,
        "First Name": text,
        Title: text,
        City: text,
      }),
      person({ "Business Email": text, Website: text, "Captured URL": text, "Seen At": text }),
    ])
    expect((await send(records)).body.data).toEqual({ accepted: records.length })

    expect((await outcomes())["person"]).toBe(texts.length)
    expect(await visitors()).toHaveLength(texts.length)
  })

  it("every kind of value in every field is taken or rejected", async () => {
    const { outcomes, send } = await makeVendor(server)
    const values = [null, true, 0, -1, 1e308, "", [], {}, [[]], "x"]
    const names = Object.keys(person({ Industry: 1, City: 1, Title: 1, "Seen At": 1, Referrer: 1 }))
    const records = values.flatMap((value) => names.map((name) => person({ [name]: value })))
    expect((await send(records)).status).toBe(200)

    const counts = Object.values(await outcomes())
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(records.length)
  })
})

it("a flood of one vendor leaves a neighbour's pixel working", async () => {
  const vendor = await makeVendor(server)
  const flood = Array.from({ length: 60 }, () =>
    vendor.send(Array.from({ length: 100 }, () => person())),
  )
  const page = await server.collect({
    v: 1,
    sentAt: new Date().toISOString(),
    anonymousId: "0b9c5e0e-8f0a-4b7e-9f67-1d2e3f405162",
    consent: "granted",
    gpc: false,
    events: [
      {
        id: "1b9c5e0e-8f0a-4b7e-9f67-1d2e3f405162",
        type: "page",
        time: new Date().toISOString(),
        url: "https://tidewater.example/",
      },
    ],
  })
  expect(page.status).toBe(204)
  const answers = await Promise.all(flood)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})
