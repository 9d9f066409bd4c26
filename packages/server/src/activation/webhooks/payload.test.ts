import { expect, it } from "vitest"
import { payloadBytesMax } from "../../platform/outbound/payload.ts"
import { canonicalFields, type CanonicalVisitor } from "../../people/visitors/visitor.ts"
import { type Envelope, payloadOf, visitedPagesMax } from "./payload.ts"

const envelope: Envelope = {
  id: "msg_vznk635jyuu43bebfprp7pofzk",
  event: "visitor.identified",
  timestamp: "2026-03-11T09:00:00.000Z",
  trigger: "first_match",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  segment: null,
  pixel: { id: "cdd19037-47fb-4e21-a054-2da787925aea", domain: "tidewater.example" },
}

/** A person with only an address, plus the fields in `change`. */
const visitor = (change: Partial<CanonicalVisitor>): CanonicalVisitor =>
  ({
    ...Object.fromEntries(Object.keys(canonicalFields).map((name) => [name, null])),
    email: "jane@acme.example",
    emails: ["jane@acme.example"],
    businessEmails: [],
    personalEmails: [],
    phones: [],
    customAttribution: {},
    visitedPages: [],
    ...change,
  }) as unknown as CanonicalVisitor

const counters = [
  "companyEmployeeCount",
  "sessions",
  "pageviews",
  "pricingPageViews",
  "demoPageViews",
]

const pages = (count: number, length: number, letter = "a") =>
  Array.from({ length: count }, (_, index) => `https://a.example/${index}/`.padEnd(length, letter))

const read = (text: string) => JSON.parse(text) as CanonicalVisitor & Envelope

it("is one line with the envelope first, then the visitor", () => {
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
  ["one-byte letters", "a", 1],
  ["four-byte letters", "𝒜", 4],
  ["letters that JSON escapes", '"', 2],
])("holds fewer pages where 20 would exceed 20 KB: %s", (_, letter, bytes) => {
  const length = 2_000
  const visitedPages = Array.from({ length: 20 }, () => letter.repeat(length / bytes))

  const text = payloadOf(envelope, visitor({ visitedPages }))

  const kept = read(text).visitedPages.length
  expect(Buffer.byteLength(text)).toBeLessThan(payloadBytesMax)
  // One more page would not have fitted.
  expect(Buffer.byteLength(text) + length + 3).toBeGreaterThanOrEqual(payloadBytesMax)
  expect(kept).toBe(9)
})

it("holds no pages, and shorter lists, where those alone would exceed 20 KB", () => {
  const emails = Array.from({ length: 500 }, (_, index) => `${index}@${"a".repeat(100)}.example`)
  const many = visitor({ emails, businessEmails: emails, visitedPages: pages(20, 60) })

  const text = payloadOf(envelope, many)

  expect(Buffer.byteLength(text)).toBeLessThan(payloadBytesMax)
  expect(read(text)).toMatchObject({ email: "jane@acme.example", visitedPages: [] })
  expect(read(text).emails).toEqual(emails.slice(0, read(text).emails.length))
  expect(read(text).emails.length).toBeGreaterThan(50)
})

it("shortens the longest texts before it drops an address", () => {
  const emails = Array.from({ length: 5 }, (_, index) => `${index}@acme.example`)
  const linkedinUrl = `https://linkedin.example/${"𝒜".repeat(2_000)}`
  const companyLinkedinUrl = linkedinUrl
  const known = { companyLinkedinUrl, emails, linkedinUrl, lastName: "Mercer" }
  const headed = visitor({ ...known, gclid: "𝒜".repeat(512), jobTitle: "𝒜".repeat(1_000) })

  const text = payloadOf(envelope, headed)

  expect(Buffer.byteLength(text)).toBeLessThan(payloadBytesMax)
  expect(read(text)).toMatchObject({ ...known, linkedinUrl: null, companyLinkedinUrl: null })
  expect(read(text)).toMatchObject({ gclid: headed.gclid, jobTitle: headed.jobTitle })
})

/** A letter that takes four bytes in UTF-8, and one that takes six in JSON. */
const widest = ["𝒜", "\u0001"]

it.each(widest)("is below 20 KB with every field at its maximum length: %j", (letter) => {
  const text = (length: number) => letter.repeat(length)
  const emails = Array.from(
    { length: 50 },
    (_, index) => `${index}${text(30)}@${"é".repeat(150)}.example`,
  )
  const ofTexts = Object.keys(canonicalFields).map((name) => [name, text(2_048)])
  const many = {
    ...Object.fromEntries(ofTexts),
    email: emails[0],
    emailHash: "a".repeat(64),
    emailHashes: { sha256: "a".repeat(64), sha1: "a".repeat(40), md5: "a".repeat(32) },
    emails,
    businessEmails: emails,
    personalEmails: emails,
    phones: Array.from({ length: 20 }, () => "+14155550134"),
    phonesDnc: true,
    customAttribution: Object.fromEntries(emails.map((_, index) => [`key${index}`, text(255)])),
    companyDomain: "a".repeat(253),
    companyTotalRevenue: "100 million to 250 million",
    seniority: "c_suite",
    department: "military and protective services",
    country: "US",
    visitedPages: pages(20, 2_048, letter),
    firstSeenAt: envelope.timestamp,
    lastSeenAt: envelope.timestamp,
    ...Object.fromEntries(counters.map((name) => [name, Number.MAX_SAFE_INTEGER])),
  } as unknown as CanonicalVisitor
  const segment = { id: envelope.organizationId, name: text(160) }

  const payload = payloadOf({ ...envelope, segment, test: true }, many)

  expect(Buffer.byteLength(payload)).toBeLessThan(payloadBytesMax)
  expect(Object.keys(read(payload))).toEqual([
    ...Object.keys({ ...envelope, test: true }),
    ...Object.keys(canonicalFields),
  ])
  expect(read(payload)).toMatchObject({ email: emails[0], companyDomain: many.companyDomain })
})
