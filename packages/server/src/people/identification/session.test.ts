// Folds a session event by event: what each event adds, and that the events' times, not their arrival, decide what
// was first and last (spec 2.2).
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { EventPayload } from "../../collect/visits/collected-event.ts"
import { distinctPathsMax, emptyTrail, pagesMax, viewed } from "./page-trail.ts"
import { textsOfLines } from "../visitors/query/lines.ts"
import {
  begin,
  type BrowserEvent,
  distanceMs,
  fold,
  referrerDomain,
  type Session,
} from "./session.ts"
import { sessionJson } from "./session-json.ts"
import { withValues } from "./timed-values.ts"
import { customEventsMax } from "./tracked.ts"

type Change = Omit<Partial<BrowserEvent>, "payload"> & { readonly payload?: Partial<EventPayload> }

const page = (occurredAt: number, path: string, change: Change = {}): BrowserEvent => ({
  organizationId: "o",
  pixelId: "p",
  id: `${occurredAt} ${path}`,
  receivedAt: 0,
  anonymousId: "a",
  type: "page",
  occurredAt,
  url: `https://tidewater.example${path}`,
  ...change,
  payload: { k: "granted", d: "desktop", ...change.payload },
})

const other = (
  occurredAt: number,
  type: BrowserEvent["type"],
  payload: Partial<EventPayload> = {},
) => page(occurredAt, "/", { type, payload })

const folded = ([first, ...rest]: ReadonlyArray<BrowserEvent>): Session =>
  rest.reduce(fold, begin("s", first!))

describe("session", () => {
  it("spans its events and counts its pages", () => {
    const session = folded([
      page(20, "/pricing", { payload: { q: 1 } }),
      page(10, "/", { url: "https://www.tidewater.example/" }),
      page(30, "/"),
      page(40, "/demo", { payload: { q: 2 } }),
      other(50, "track"),
    ])

    assert.include(session, {
      startedAt: 10,
      endedAt: 50,
      pageviews: 4,
      pricingPageViews: 1,
      demoPageViews: 1,
      converted: false,
    })
    assert.strictEqual(session.entry?.url, "https://www.tidewater.example/")
    assert.strictEqual(session.exit?.url, "https://tidewater.example/demo")
    assert.lengthOf(session.trail.paths, 3)
  })

  it("active time is null without heartbeats and their sum with them", () => {
    assert.isNull(folded([page(0, "/")]).activeSeconds)
    assert.strictEqual(
      folded([page(0, "/"), other(1, "heartbeat", { s: 0 }), other(2, "heartbeat", { s: 30 })])
        .activeSeconds,
      30,
    )
  })

  it("campaign and channel are those of the first touch that is not direct", () => {
    const session = folded([
      page(0, "/"),
      page(30, "/", { payload: { ch: "display", u: { source: "late" } } }),
      page(20, "/", { payload: { ch: "email", u: { source: "first" } } }),
    ])

    assert.deepStrictEqual(session.touch, { at: 20, channel: "email", utm: { source: "first" } })
  })

  it("click ids and attribution keep the last value and its time; empty values are ignored", () => {
    const session = folded([
      page(20, "/", { payload: { c: { gclid: "b" }, a: { plan: "pro", crm: "7" } } }),
      page(10, "/", { payload: { c: { gclid: "a" }, a: { plan: "trial" } } }),
      page(30, "/", { payload: { a: { crm: "" } } }),
      other(25, "identify", { p: { custom: { plan: "told" } } }),
    ])

    assert.deepStrictEqual(session.clickIds, { gclid: ["b", 20] })
    assert.deepStrictEqual(session.attribution, { plan: ["told", 25], crm: ["7", 20] })
  })

  it("is converted by an identify event or a captured email", () => {
    assert.isTrue(folded([page(0, "/"), other(1, "identify")]).converted)
    assert.isTrue(folded([page(0, "/"), other(1, "capture")]).converted)
  })

  it("someone is identified in it by an address or by its hash alone", () => {
    assert.isTrue(folded([page(0, "/", { payload: { h: "f0" } })]).isIdentified)
    assert.isTrue(folded([other(0, "identify", { e: "jane@acme.example" })]).isIdentified)
    assert.isFalse(folded([page(0, "/"), other(1, "track")]).isIdentified)
  })

  it("its exit is the page viewed last, whichever page view arrives last", () => {
    const session = folded([page(20, "/late"), page(10, "/early")])

    assert.strictEqual(session.entry?.url, "https://tidewater.example/early")
    assert.strictEqual(session.exit?.url, "https://tidewater.example/late")
  })

  it("forms are counted, and the names of custom events kept once, without case", () => {
    const session = folded([
      other(0, "capture"),
      other(1, "track", { n: "Signed Up" }),
      other(2, "track", { n: "signed\nup" }),
      other(3, "track", { n: "Checkout" }),
      other(4, "capture"),
      other(5, "identify"),
    ])

    assert.strictEqual(session.formSubmissions, 2)
    assert.deepStrictEqual(session.customEvents, ["signed up", "checkout"])
  })

  it("counts custom events and keeps what they said", () => {
    const { tracked } = folded([
      other(10, "track", { n: "Buy", o: { plan: "Pro" } }),
      other(20, "track", { n: "Buy" }),
      page(30, "/", { payload: { o: { plan: "no custom event" } } }),
    ])

    assert.deepStrictEqual(
      tracked,
      new Map([["Buy", { count: 2, values: new Map([["plan", ["pro"]]]) }]]),
    )
  })

  it("counts the views of each page, also of one that is reported late", () => {
    const { trail } = folded([page(30, "/a"), page(40, "/b"), page(10, "/a"), page(50, "/b")])

    assert.deepStrictEqual(
      trail.pages.map(({ url, viewedAt, views }) => [url.slice(-2), viewedAt, views]),
      [
        ["/b", 50, 2],
        ["/a", 30, 2],
      ],
    )
  })

  it(`keeps at most ${customEventsMax} names of custom events`, () => {
    const tracked = (count: number) =>
      folded([
        page(0, "/"),
        ...Array.from({ length: count }, (_, index) => other(1, "track", { n: `event ${index}` })),
      ]).customEvents

    assert.lengthOf(tracked(customEventsMax - 1), customEventsMax - 1)
    assert.lengthOf(tracked(customEventsMax), customEventsMax)
    assert.deepStrictEqual(tracked(customEventsMax + 1), tracked(customEventsMax))
  })

  it("paths and custom events are stored line by line, and read back unchanged", () => {
    const session = folded([
      page(0, "/Pricing"),
      page(1, "/b", { url: "http://localhost:4100/pricing" }),
      page(2, "/"),
      other(3, "track", { n: "a" }),
      other(3, "track", { n: "b" }),
    ])
    const row = sessionJson(session)

    assert.strictEqual(row.p, "\n/\n/pricing\n")
    assert.strictEqual(row.ce, "\na\nb\n")
    assert.deepStrictEqual(textsOfLines(row.ce), session.customEvents)
    assert.strictEqual(sessionJson(folded([other(0, "identify")])).p, "")
    assert.deepStrictEqual(textsOfLines(""), [])
  })

  it("pages are stored as an array that Postgres reads, and empty values are left out", () => {
    const row = sessionJson(folded([page(1, '/"quoted"\\'), page(0, "/")]))

    assert.strictEqual(
      row.pu,
      String.raw`{"https://tidewater.example/\"quoted\"\\","https://tidewater.example/"}`,
    )
    assert.strictEqual(row.pt, '{"1970-01-01T00:00:00.001Z","1970-01-01T00:00:00.000Z"}')
    assert.notInclude(JSON.stringify(row), "null")
    assert.isUndefined(row.v)
    assert.strictEqual(row.ch, "direct")
  })

  it("the first external referrer stays", () => {
    const session = folded([
      page(20, "/", { payload: { r: "https://www.search.example/" } }),
      page(30, "/", { payload: { r: "https://later.example/" } }),
    ])
    assert.strictEqual(session.referrer?.url, "https://www.search.example/")
    assert.strictEqual(referrerDomain(session), "search.example")
    assert.isNull(referrerDomain(folded([page(0, "/")])))
  })

  it("folding in any batches gives the same session as folding at once, through the stored form", () => {
    const events = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 50 }),
        path: fc.constantFrom("/", "/a", "/b", "/pricing"),
        beat: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
        plan: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.boolean()), (all, cuts) => {
        const told = all.map(({ at, path, beat, plan }) =>
          beat === undefined
            ? page(at, path, { payload: plan === undefined ? {} : { a: { plan } } })
            : other(at, "heartbeat", { s: beat }),
        )
        const [first, ...rest] = told
        const stored = rest.reduce<Session>(
          (session, event) => {
            const [cut] = cuts.take(1)
            return fold(cut === true ? structuredClone(session) : session, event)
          },
          begin("s", first!),
        )

        assert.deepStrictEqual(stored, folded(told))
        const pages = told.filter(({ type }) => type === "page")
        assert.strictEqual(stored.pageviews, pages.length)
        assert.strictEqual(stored.trail.paths.length, new Set(pages.map(({ url }) => url)).size)
        assert.strictEqual(stored.startedAt, Math.min(...told.map((event) => event.occurredAt)))
        assert.strictEqual(stored.endedAt, Math.max(...told.map((event) => event.occurredAt)))
      }),
    )
  })

  it("the distance is 0 for an event inside, otherwise the time to the nearer end", () => {
    const session = folded([page(10, "/"), page(20, "/")])
    assert.deepStrictEqual(
      [5, 10, 15, 20, 27].map((at) => distanceMs(session, at)),
      [5, 0, 0, 0, 7],
    )
  })
})

describe("page trail", () => {
  const trail = (count: number) =>
    Array.from({ length: count }, (_, index) => index).reduce(
      (all, index) => viewed(all, { url: `https://a.example/${index}`, viewedAt: index }),
      emptyTrail,
    )

  it("lists each address once, newest first, with its last view", () => {
    const views = [
      ["/a", 1],
      ["/b", 3],
      ["/a", 2],
      ["/b", 1],
      ["/c", 3],
    ] as const
    const all = views.reduce(
      (seen, [path, viewedAt]) => viewed(seen, { url: `https://a.example${path}`, viewedAt }),
      emptyTrail,
    )
    assert.deepStrictEqual(
      all.pages.map(({ url, viewedAt }) => [url.slice(17), viewedAt]),
      [
        ["/c", 3],
        ["/b", 3],
        ["/a", 2],
      ],
    )
  })

  it("keeps the newest 100 addresses", () => {
    assert.lengthOf(trail(pagesMax).pages, pagesMax)
    const over = trail(pagesMax + 1).pages
    assert.lengthOf(over, pagesMax)
    assert.strictEqual(over[0]?.viewedAt, pagesMax)
    assert.strictEqual(over.at(-1)?.viewedAt, 1)
  })

  it("counts 500 distinct paths and stays there", () => {
    assert.lengthOf(trail(distinctPathsMax - 1).paths, distinctPathsMax - 1)
    assert.lengthOf(trail(distinctPathsMax).paths, distinctPathsMax)
    assert.lengthOf(trail(distinctPathsMax + 1).paths, distinctPathsMax)
  })

  it("one path on two hosts is one path", () => {
    const all = ["a", "b"].reduce(
      (seen, host) => viewed(seen, { url: `https://${host}.example/x`, viewedAt: 1 }),
      emptyTrail,
    )
    assert.lengthOf(all.paths, 1)
    assert.lengthOf(all.pages, 2)
  })
})

describe("timed values", () => {
  it("are the same in any order of the events", () => {
    const said = fc.array(
      fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("x", "y", ""), fc.nat(3)),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(said, fc.func(fc.nat()), (words, weight) => {
        const tell = (all: typeof words) =>
          all.reduce((values, [key, value, at]) => withValues(values, { [key]: value }, at), {})
        const shuffled = words.toSorted((one, two) => weight(one) - weight(two))
        assert.deepStrictEqual(tell(shuffled), tell(words))
      }),
    )
  })
})
