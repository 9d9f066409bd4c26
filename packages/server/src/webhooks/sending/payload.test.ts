import { expect, it } from "vitest"
import type { CanonicalVisitor } from "../../visitors/visitor.ts"
import { type Envelope, payloadBytesMax, payloadOf, visitedPagesMax } from "./payload.ts"

const envelope: Envelope = {
  id: "msg_vznk635jyuu43bebfprp7pofzk",
  event: "visitor.identified",
  timestamp: "2026-03-11T09:00:00.000Z",
  trigger: "first_match",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  segment: null,
  pixel: { id: "cdd19037-47fb-4e21-a054-2da787925aea", domain: "tidewater.example" },
}

/** As much of a visitor as a payload looks at. */
const visitor = (change: Partial<CanonicalVisitor>): CanonicalVisitor =>
  ({
    email: "jane@acme.example",
    emails: ["jane@acme.example"],
    businessEmails: [],
    personalEmails: [],
    phones: [],
    customAttribution: {},
    visitedPages: [],
    ...change,
  }) as unknown as CanonicalVisitor

const pages = (count: number, length: number, letter = "a") =>
  Array.from({ length: count }, (_, index) => `https://a.example/${index}/`.padEnd(length, letter))

const read = (text: string) => JSON.parse(text) as CanonicalVisitor & Envelope

it("is one line with the envelope first and the visitor beside it", () => {
  const text = payloadOf(envelope, visitor({}))

  expect(text).not.toContain("\n")
  expect(text.startsWith(JSON.stringify(envelope).slice(0, -1))).toBe(true)
  expect(read(text)).toMatchObject({ email: "jane@acme.example", visitedPages: [] })
})

it.each([
  [100, visitedPagesMax],
  [20, 20],
  [3, 3],
])("of %i pages it holds the latest %i", (count, kept) => {
  const visitedPages = pages(count, 60)

  expect(read(payloadOf(envelope, visitor({ visitedPages }))).visitedPages).toEqual(
    visitedPages.slice(0, kept),
  )
})

it.each([
  ["letters of one byte", "a", 1],
  ["letters of four bytes", "𝒜", 4],
  ["letters that JSON escapes", '"', 2],
])("holds fewer pages where 20 would pass 20 KB: %s", (_, letter, bytes) => {
  const length = 2_000
  const visitedPages = Array.from({ length: 20 }, () => letter.repeat(length / bytes))

  const text = payloadOf(envelope, visitor({ visitedPages }))

  const kept = read(text).visitedPages.length
  expect(Buffer.byteLength(text)).toBeLessThan(payloadBytesMax)
  // One more would not have fitted.
  expect(Buffer.byteLength(text) + length + 3).toBeGreaterThanOrEqual(payloadBytesMax)
  expect(kept).toBe(9)
})

it("holds no page, and fewer of everything else, where that alone would pass 20 KB", () => {
  const emails = Array.from({ length: 500 }, (_, index) => `${index}@${"a".repeat(100)}.example`)
  const many = visitor({ emails, businessEmails: emails, visitedPages: pages(20, 60) })

  const text = payloadOf(envelope, many)

  expect(Buffer.byteLength(text)).toBeLessThan(payloadBytesMax)
  expect(read(text)).toMatchObject({ email: "jane@acme.example", visitedPages: [] })
  expect(read(text).emails).toEqual(emails.slice(0, read(text).emails.length))
  expect(read(text).emails.length).toBeGreaterThan(50)
})
