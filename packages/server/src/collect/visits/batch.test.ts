// Every limit of a batch and of an event (spec 6.3): below, at and above it.
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readBatch } from "./batch.ts"
import { hashEmail } from "./email-address.ts"

type Wire = Readonly<Record<string, unknown>>

const id = "7f537530-00d1-4f19-9a6e-ad750bbcfb96"
const page: Wire = {
  id,
  type: "page",
  time: "2026-03-11T08:41:02.000Z",
  url: "https://tidewater.example/",
}
const track: Wire = { ...page, type: "track", name: "signup" }
const identify: Wire = { ...page, type: "identify", email: "jane@harbor.example" }
const heartbeat: Wire = { ...page, type: "heartbeat", activeSeconds: 30 }

const batch = (change: Wire = {}): Wire => ({
  v: 1,
  sentAt: "2026-03-11T08:42:12.000Z",
  anonymousId: id,
  consent: "granted",
  events: [page],
  ...change,
})

const read = (value: unknown) => readBatch(new TextEncoder().encode(JSON.stringify(value)))
const readText = (text: string) => readBatch(new TextEncoder().encode(text))
const isAccepted = (change: Wire) => read(batch(change)) !== undefined
const kept = (...events: ReadonlyArray<Wire>) => read(batch({ events }))?.events ?? []
const isValid = (event: Wire) => kept(event).length === 1
const keys = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))

describe("an unreadable or invalid batch is ignored", () => {
  it("accepts the smallest valid batch, with defaults for optional fields", () => {
    assert.deepStrictEqual(read(batch()), {
      sentAt: Date.parse("2026-03-11T08:42:12.000Z"),
      anonymousId: id,
      consent: "granted",
      gpc: false,
      dnt: false,
      debug: false,
      attribution: {},
      events: [
        {
          id,
          type: "page",
          time: Date.parse("2026-03-11T08:41:02.000Z"),
          url: "https://tidewater.example/",
          properties: {},
        },
      ],
    })
  })

  it.each([
    ["another version", { v: 2 }],
    ["a version as text", { v: "1" }],
    ["no sentAt", { sentAt: undefined }],
    ["a sentAt that is a number", { sentAt: 1 }],
    ["a sentAt that is not a date", { sentAt: "2026-13-11T08:42:12.000Z" }],
    ["an anonymousId that is not a UUID", { anonymousId: "x" }],
    ["no anonymousId", { anonymousId: undefined }],
    ["an unknown consent", { consent: "denied" }],
    ["a gpc that is not a boolean", { gpc: 1 }],
    ["a dnt that is not a boolean", { dnt: "false" }],
    ["a debug that is not a boolean", { debug: null }],
    ["a time zone of 65 characters", { timeZone: "x".repeat(65) }],
    ["an attribution that is a list", { attribution: [] }],
    ["no events", { events: [] }],
    ["21 events", { events: Array.from({ length: 21 }, () => page) }],
    ["events that are not a list", { events: page }],
  ])("refuses %s", (_, change) => {
    assert.isFalse(isAccepted(change))
  })

  it.each([
    ["a null anonymousId", { anonymousId: null }],
    ["a time zone of 64 characters", { timeZone: "x".repeat(64) }],
    ["a null time zone", { timeZone: null }],
    ["20 events", { events: Array.from({ length: 20 }, () => page) }],
    ["unknown fields", { later: true }],
  ])("takes %s", (_, change) => {
    assert.isTrue(isAccepted(change))
  })

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["65 levels of nesting", `${"[".repeat(65)}${"]".repeat(65)}`],
    ["an escaped NUL", JSON.stringify(batch({ later: "a\0b" }))],
    ["a lone surrogate", JSON.stringify(batch({ later: "\ud800" }))],
    ["a NUL in a key", JSON.stringify(batch({ later: { "\0": 1 } }))],
  ])("refuses %s", (_, text) => {
    assert.isUndefined(readText(text))
  })

  it("accepts 64 levels of nesting and a harmless escape", () => {
    const deep = `${"[".repeat(63)}${"]".repeat(63)}`
    const text = JSON.stringify(batch({ later: "DEEP", also: "\\u0000 \u00e9" }))
    assert.isDefined(readText(text.replace('"DEEP"', deep).replace("é", "\\u00e9")))
  })

  it("rejects bytes that are not UTF-8", () => {
    const bytes = new TextEncoder().encode(JSON.stringify(batch({ later: "x" })))
    bytes[bytes.indexOf("x".charCodeAt(0), 60)] = 0xff
    assert.isUndefined(readBatch(bytes))
  })

  it("never throws and never returns more events than it received, whatever the JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 25 }), (any, events) => {
        assert.isUndefined(read(any))
        assert.isAtMost(read(batch({ events, attribution: any }))?.events.length ?? 0, 20)
      }),
    )
  })

  it("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => readBatch(bytes) === undefined),
    )
  })
})

describe("an invalid event is dropped and the others are kept", () => {
  it("keeps the valid ones in order", () => {
    assert.deepStrictEqual(
      kept(page, { ...page, type: "click" }, track).map(({ type }) => type),
      ["page", "track"],
    )
  })

  it.each([
    ["no object", [] as unknown as Wire],
    ["an id that is not a UUID", { ...page, id: "1" }],
    ["an unknown type", { ...page, type: "constructor" }],
    ["a time without a zone", { ...page, time: "2026-03-11T08:41:02" }],
    ["a url that is a number", { ...page, url: 7 }],
    ["a referrer that is a number", { ...page, referrer: 7 }],
    ["a title of 256 characters", { ...page, title: "x".repeat(256) }],
    ["21 properties", { ...page, props: keys(21, 1) }],
    ["a property key of 65 characters", { ...track, props: { ["k".repeat(65)]: 1 } }],
    ["a property value of 256 characters", { ...track, props: { k: "x".repeat(256) } }],
    ["a property that is an object", { ...track, props: { k: {} } }],
    ["a property that is null", { ...track, props: { k: null } }],
    ["no name", { ...track, name: "" }],
    ["a blank name", { ...track, name: "  " }],
    ["a name of 65 characters", { ...track, name: "x".repeat(65) }],
    ["neither email nor hash", { ...identify, email: undefined }],
    ["both email and hash", { ...identify, emailHash: "a".repeat(64) }],
    ["an invalid email", { ...identify, email: "jane" }],
    ["a hash of 63 digits", { ...identify, email: undefined, emailHash: "a".repeat(63) }],
    [
      "the hash of an empty text",
      { ...identify, email: undefined, emailHash: hashEmail("").sha256 },
    ],
    ["traits that are a text", { ...identify, traits: "x" }],
    ["a captured hash", { ...page, type: "capture", emailHash: "a".repeat(64) }],
    ["active seconds below 0", { ...heartbeat, activeSeconds: -1 }],
    ["active seconds above 60", { ...heartbeat, activeSeconds: 61 }],
    ["active seconds as text", { ...heartbeat, activeSeconds: "3" }],
  ])("drops %s", (_, event) => {
    assert.isFalse(isValid(event))
  })

  it.each([
    ["a url of 20,000 characters", { ...page, url: `https://a.example/${"x".repeat(20_000)}` }],
    [
      "a referrer of 20,000 characters",
      { ...page, referrer: `https://b.example/?${"x".repeat(20_000)}` },
    ],
    ["a title of 255 characters beyond the first plane", { ...page, title: "😀".repeat(255) }],
    ["20 properties", { ...page, props: keys(20, true) }],
    ["a name of 64 characters", { ...track, name: "x".repeat(64) }],
    ["a captured email", { ...page, type: "capture", email: "jane@harbor.example" }],
    ["a hash", { ...identify, email: undefined, emailHash: "A".repeat(64) }],
    ["0 active seconds", { ...heartbeat, activeSeconds: 0 }],
    ["60 active seconds", { ...heartbeat, activeSeconds: 60 }],
    ["a time with an offset", { ...page, time: "2026-03-11T09:41:02.5+01:00" }],
  ])("keeps %s", (_, event) => {
    assert.isTrue(isValid(event))
  })

  it("keeps a page view without its link token if the token is too long", () => {
    const [long] = kept({ ...page, linkToken: "x".repeat(2_049) })
    const [short] = kept({ ...page, linkToken: "x".repeat(2_048) })
    assert.notProperty(long, "linkToken")
    assert.lengthOf(short?.linkToken ?? "", 2_048)
  })

  it("rejects a number beyond double precision, which JSON cannot represent", () => {
    const text = JSON.stringify(batch({ events: [{ ...track, props: { k: 7777 } }, page] }))
    assert.deepStrictEqual(
      readText(text.replace("7777", "1e400"))?.events.map(({ type }) => type),
      ["page"],
    )
  })

  it("reads traits from identify, but not from capture", () => {
    const traits = { firstName: "Jane" }
    const [told, captured] = kept(
      { ...identify, traits },
      { ...page, type: "capture", email: "jane@harbor.example", traits },
    )
    assert.property(told, "traits")
    assert.notProperty(captured, "traits")
  })

  it("normalizes email, hash and ids", () => {
    const [told, hashed] = kept(
      { ...identify, id: id.toUpperCase(), email: " Jane@Harbor.Example " },
      { ...identify, email: null, emailHash: "A".repeat(64) },
    )
    assert.strictEqual(told?.email, "jane@harbor.example")
    assert.strictEqual(told?.id, id)
    assert.strictEqual(hashed?.emailHash, "a".repeat(64))
  })
})
