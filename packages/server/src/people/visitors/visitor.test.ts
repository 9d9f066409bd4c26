// A stored visitor in the format of the API: canonical fields, legacy aliases and the three values of the
// do-not-call flag (spec 2.1).
import { Schema } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { Visitor, visitorOf } from "./visitor.ts"
import type { VisitorRow } from "./visitor-row.ts"

const text = fc.option(fc.string({ minLength: 1 }))
const count = fc.nat({ max: 1_000_000 })
const hex = fc.string({
  unit: fc.constantFrom(..."0123456789abcdef"),
  minLength: 64,
  maxLength: 64,
})
const moment = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString())
const clickId = fc.constantFrom(
  "gclid",
  "fbclid",
  "msclkid",
  "li_fat_id",
  "gbraid",
  "wbraid",
  "dclid",
)

const rows: fc.Arbitrary<VisitorRow> = fc
  .record({
    email: text,
    emailHash: hex,
    sha1: text,
    md5: text,
    addresses: fc.array(
      fc.record({ email: fc.emailAddress(), kind: fc.constantFrom("business", "personal") }),
    ),
    marks: fc.array(fc.boolean(), { maxLength: 4 }),
    areMarksKnown: fc.boolean(),
    customAttribution: fc.dictionary(fc.string(), fc.string()),
    firstName: text,
    lastName: text,
    linkedinUrl: text,
    companyName: text,
    companyDomain: text,
    companyLinkedinUrl: text,
    companyEmployeeCount: fc.option(count),
    companyTotalRevenue: text,
    industry: text,
    companyZipCode: text,
    jobTitle: text,
    seniority: text,
    department: text,
    city: text,
    state: text,
    country: text,
    sessions: count,
    pageviews: count,
    pricingPageViews: count,
    demoPageViews: count,
    firstSeenAt: moment,
    lastSeenAt: moment,
    landingPage: text,
    visitedPages: fc.array(fc.webUrl()),
    referrer: text,
    referrerDomain: text,
    utmSource: text,
    utmMedium: text,
    utmCampaign: text,
    utmTerm: text,
    utmContent: text,
    clickIds: fc.dictionary(clickId, fc.string({ minLength: 1 })),
    suppressed: fc.boolean(),
    score: fc.constantFrom(null, {
      total: 68,
      fit: 90,
      interest: 45,
      hot: true,
      top: { part: "interest", code: "visits", params: { count: 2 }, points: 30 } as const,
    }),
    owner: fc.constantFrom(null, { id: "7f1e", name: null, email: "sam@tidewater.example" }),
    tags: fc.array(fc.string()),
  })
  .map(({ marks, areMarksKnown, ...row }) => ({
    ...row,
    phones: marks.map((_, index) => `+1415555${1000 + index}`),
    phonesDnc: areMarksKnown ? marks : null,
  }))

const [sample] = fc.sample(rows, { numRuns: 1, seed: 1 })
const visitorWith = (change: Partial<VisitorRow>) => visitorOf({ ...sample!, ...change })

it("every row converts to exactly the wire schema", () => {
  const decode = Schema.decodeUnknownSync(Visitor, { onExcessProperty: "error" })
  fc.assert(
    fc.property(rows, (row) => {
      const visitor = visitorOf(row)
      expect(decode(visitor)).toEqual(visitor)
    }),
  )
})

it("every legacy field has the value of its canonical field", () => {
  fc.assert(
    fc.property(rows, (row) => {
      const visitor = visitorOf(row)

      expect({
        allEmails: visitor.allEmails,
        primaryPhone: visitor.primaryPhone,
        allPhones: visitor.allPhones,
        company: visitor.company,
        companyZip: visitor.companyZip,
        companySize: visitor.companySize,
        companyRevenue: visitor.companyRevenue,
        companyIndustry: visitor.companyIndustry,
        firstSeen: visitor.firstSeen,
        lastSeen: visitor.lastSeen,
        msclkid: visitor.msclkid,
        liFatId: visitor.liFatId,
        gbraid: visitor.gbraid,
        wbraid: visitor.wbraid,
      }).toEqual({
        allEmails: visitor.emails,
        primaryPhone: visitor.phones[0] ?? null,
        allPhones: visitor.phones,
        company: visitor.companyName,
        companyZip: visitor.companyZipCode,
        companySize: visitor.companyEmployeeCount,
        companyRevenue: visitor.companyTotalRevenue,
        companyIndustry: visitor.industry,
        firstSeen: visitor.firstSeenAt,
        lastSeen: visitor.lastSeenAt,
        msclkid: visitor.bingClickId,
        liFatId: visitor.linkedinClickId,
        gbraid: visitor.googleGbraid,
        wbraid: visitor.googleWbraid,
      })
      expect(visitor.emailHashes.sha256).toBe(visitor.emailHash)
      expect([...visitor.businessEmails, ...visitor.personalEmails].toSorted()).toEqual(
        [...visitor.emails].toSorted(),
      )
    }),
  )
})

it("each exposed click id has its field, and those that are only stored have none", () => {
  const visitor = visitorWith({
    clickIds: {
      gclid: "1",
      fbclid: "2",
      msclkid: "3",
      li_fat_id: "4",
      gbraid: "5",
      wbraid: "6",
      dclid: "7",
    },
  })

  const { gclid, fbclid, bingClickId, linkedinClickId, googleGbraid, googleWbraid } = visitor
  expect([gclid, fbclid, bingClickId, linkedinClickId, googleGbraid, googleWbraid]).toEqual([
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
  ])
  expect(Object.values(visitor)).not.toContain("7")
})

it.each([
  { marks: null, phonesDnc: null, why: "nothing is known" },
  { marks: [], phonesDnc: null, why: "there is no phone" },
  { marks: [false], phonesDnc: false, why: "the only phone is not listed" },
  { marks: [false, false], phonesDnc: false, why: "no phone is listed" },
  { marks: [true], phonesDnc: true, why: "the only phone is listed" },
  { marks: [false, true], phonesDnc: true, why: "one phone is listed" },
])("phonesDnc is $phonesDnc when $why", ({ marks, phonesDnc }) => {
  expect(visitorWith({ phonesDnc: marks }).phonesDnc).toBe(phonesDnc)
})

it("the legacy phonesDNC is the array parallel to phones, or null when unknown", () => {
  const phones = ["+14155550134", "+14155550135"]

  expect(visitorWith({ phones, phonesDnc: [false, true] }).phonesDNC).toEqual([false, true])
  expect(visitorWith({ phones, phonesDnc: null }).phonesDNC).toBeNull()
})

it("a person known only by hash has no email and no other hash", () => {
  const emailHash = "ab".repeat(32)

  const visitor = visitorWith({ email: null, emailHash, sha1: null, md5: null, addresses: [] })

  expect(visitor.email).toBeNull()
  expect(visitor.emailHash).toBe(emailHash)
  expect(visitor.emailHashes).toEqual({ sha256: emailHash, sha1: null, md5: null })
  expect([visitor.emails, visitor.businessEmails, visitor.personalEmails]).toEqual([[], [], []])
})

it.each([
  { firstName: "Jane", lastName: "Mercer", fullName: "Jane Mercer" },
  { firstName: "Jane", lastName: null, fullName: "Jane" },
  { firstName: null, lastName: "Mercer", fullName: "Mercer" },
  { firstName: null, lastName: null, fullName: null },
])("fullName joins the names that are present: $fullName", ({ fullName, ...names }) => {
  expect(visitorWith(names).fullName).toBe(fullName)
})
