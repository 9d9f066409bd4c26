// The rules that the compiler enforces on callers. `tsc` checks the lines; the run only needs to pass.

import { expectTypeOf, it } from "vitest"
import {
  Footfall,
  type ApiErrorCode,
  type LinkTokenPerson,
  type Page,
  type Visitor,
  type VisitorListMeta,
} from "../src/index.ts"

const footfall = new Footfall({ fetch: async () => new Response() })
const { visitors } = footfall

it("awaiting a list returns a page, and looping over it returns visitors", () => {
  const list = visitors.list()
  expectTypeOf<Awaited<typeof list>>().toEqualTypeOf<Page<Visitor, VisitorListMeta>>()
  expectTypeOf(list).toExtend<AsyncIterable<Visitor>>()
})

it("accepts one scope and one position", () => {
  visitors.list({ pixelId: "p", page: 2 })
  visitors.list({ domain: "d", cursor: "c" })
  // @ts-expect-error -- a pixel is named by its id or by its domain
  visitors.list({ pixelId: "p", domain: "d" })
  // @ts-expect-error -- a position is a page or a cursor
  visitors.list({ page: 1, cursor: "c" })
})

it("accepts only the API's windows and filters", () => {
  // @ts-expect-error -- not a window
  visitors.list({ timeframe: "8d" })
  // @ts-expect-error -- not a filter
  visitors.list({ suppressed: true })
  // @ts-expect-error -- a lookup needs an address
  void (() => visitors.get({}))
})

it("a query needs exactly one of a segment and a rule", () => {
  const ruleAst = { version: 1, rule: { any: [] } } as const
  visitors.query({ segmentId: "s", page: 2 })
  visitors.query({ ruleAst, cursor: "c" })
  // @ts-expect-error -- both
  visitors.query({ segmentId: "s", ruleAst })
  // @ts-expect-error -- neither
  visitors.query({ window: "7d" })
  // @ts-expect-error -- a position is a page or a cursor
  visitors.query({ segmentId: "s", page: 1, cursor: "c" })
})

it("a list by offset accepts one position", () => {
  footfall.segments.list({ offset: 50, limit: 10 })
  footfall.segments.list({ cursor: "c", limit: 10 })
  // @ts-expect-error -- a position is an offset or a cursor
  footfall.segments.list({ offset: 50, cursor: "c" })
})

it("a link token's person has an email or a hash, not both", () => {
  const create = (...people: Array<LinkTokenPerson>) => people
  create({ email: "a@b.example" }, { emailHash: "0" })
  // @ts-expect-error -- two names of one person
  create({ email: "a@b.example", emailHash: "0" })
})

it("known codes are completed, and unknown codes of newer servers are allowed", () => {
  expectTypeOf<"SEGMENT_IN_USE">().toExtend<ApiErrorCode>()
  expectTypeOf<string>().toExtend<ApiErrorCode>()
})

it("public fields are read-only", () => {
  const change = (visitor: Visitor) => {
    // @ts-expect-error -- read-only
    visitor.email = null
    // @ts-expect-error -- read-only
    visitor.emails.push("x")
  }
  expectTypeOf(change).toBeFunction()
})
