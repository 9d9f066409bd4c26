// The bodies of the worked example, byte for byte (spec 12.12).
import { createHash } from "node:crypto"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { payloadBytesMax } from "../../../platform/outbound/payload.ts"
import { ResultRow } from "../../../intent/runs/results/result-row.ts"
import { contactUpserted, type EventSource, syncCompleted, syncStarted } from "./intent-event.ts"
import { sampleBody } from "./sample.ts"

const source: EventSource = {
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  audience: { id: "70865832-8a6e-409c-95c5-d15bafae1a05", name: "Warehouse buyers" },
  destination: {
    id: "72c2caee-8b8d-4561-a8f3-fa549b992a9d",
    name: "CRM intake",
    configRevision: 1,
  },
  delivery: {
    id: "e3897870-520c-4fe5-9d28-03da213e9f49",
    mode: "initial",
    sourceRunId: "efb5aab5-6869-4672-9dc1-601e8732e865",
    baselineRunId: null,
    sourceCount: 2,
  },
  run: {
    id: "efb5aab5-6869-4672-9dc1-601e8732e865",
    dataDate: "2026-03-10",
    runType: "manual",
    resultCount: 2,
    completedAt: "2026-03-11T09:03:01.480Z",
  },
}
const topic = { type: "b2b", industry: "logistics" } as const
const jane = {
  hashedEmail: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
  firstName: "Jane",
  lastName: "Mercer",
  fullName: "Jane Mercer",
  email: "jane.mercer@harbor-logistics.example",
  businessEmail: "jane.mercer@harbor-logistics.example",
  personalEmail: "jane.mercer@mail.example",
  primaryContactEmail: "jane.mercer@harbor-logistics.example",
  emailStatus: "valid",
  phone: "+14155550134",
  linkedinUrl: null,
  headline: null,
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  company: {
    name: "Harbor Logistics",
    domain: "harbor-logistics.example",
    industry: "maritime transportation",
    industryGroup: "transportation and logistics",
    revenueRange: "50 million to 100 million",
    size: "201-500",
    linkedinUrl: null,
  },
  geo: { city: "San Francisco", state: "CA", country: "US" },
  demographics: { ageRange: null, gender: null },
  isB2b: "y",
  intent: {
    score: 91,
    topicOverlap: 2,
    matchedTopics: [
      {
        topicId: 1204,
        topicName: "Warehouse Management Software",
        ...topic,
        category: "software",
      },
      { topicId: 3377, topicName: "Freight Visibility", ...topic, category: "operations" },
    ],
  },
} as const

const fingerprint = (body: string) => ({
  bytes: Buffer.byteLength(body),
  sha256: createHash("sha256").update(body).digest("hex"),
})

describe("the bodies of the worked example", () => {
  it("started", () => {
    const head = { id: "msg_vznk635jyuu43bebfprp7pofzk", timestamp: "2026-03-11T09:05:01.000Z" }

    expect(fingerprint(syncStarted(head, source))).toEqual({
      bytes: 698,
      sha256: "1c95731f6aabd3d283da29520f3aecd84c244859551a7ab818b692204137f287",
    })
  })

  it("contact", () => {
    const head = { id: "msg_v35bfdk46kaiyhxly7uhlctygk", timestamp: "2026-03-11T09:05:02.000Z" }
    const sent = { sequence: 1, change: "added", contact: jane } as const

    expect(fingerprint(contactUpserted(head, source, sent))).toEqual({
      bytes: 1616,
      sha256: "879d7662c7a72dc130880c500348d34d423b77a15b19745b258ad31898bbddb3",
    })
  })

  it("completed", () => {
    const head = { id: "msg_disoftrt7woohafkqwd4m3evv3", timestamp: "2026-03-11T09:05:03.000Z" }
    const body = syncCompleted(head, source, {
      status: "completed",
      counts: { source: 2, processed: 2, sent: 2, skipped: 0, failed: 0 },
      removedSinceBaseline: 0,
      errorCode: null,
      errorMessage: null,
      startedAt: "2026-03-11T09:05:01.000Z",
      completedAt: "2026-03-11T09:05:03.000Z",
      durationMs: 2000,
    })

    expect(fingerprint(body)).toEqual({
      bytes: 949,
      sha256: "8e2425824014a987aad36365067fccb1b1c0357c9d1118de950859929617e578",
    })
  })
})

describe.each([
  ["four-byte letters", "𝒜"],
  ["letters that take six bytes in JSON", "\u0001"],
])("with every field at its maximum length, in %s, the body is below 20 KB", (_, letter) => {
  const text = (length: number) => letter.repeat(length)
  const email = `${letter.repeat(64 / letter.length)}@${"ｅ.".repeat(91)}example`
  const topics = Array.from({ length: 10 }, (_topic, index) => ({
    topicId: Number.MAX_SAFE_INTEGER - index,
    topicName: text(255),
    type: "both",
    industry: text(100),
    category: text(100),
  })) as unknown as NonNullable<ResultRow["intent"]>["matchedTopics"]
  const widest = {
    ...jane,
    firstName: text(255),
    lastName: text(255),
    fullName: text(511),
    email,
    businessEmail: email,
    personalEmail: email,
    primaryContactEmail: email,
    phone: "+123456789012345",
    emailStatus: "catch_all",
    linkedinUrl: text(2_048),
    headline: text(500),
    jobTitle: text(255),
    department: "military and protective services",
    company: {
      name: text(255),
      domain: "a".repeat(253),
      industry: text(255),
      industryGroup: text(255),
      revenueRange: "100 million to 250 million",
      size: "5001-10000",
      linkedinUrl: text(2_048),
    },
    geo: { city: text(255), state: text(255), country: "US" },
    demographics: { ageRange: "65 and older", gender: "M" },
    intent: { score: 100, topicOverlap: 10, matchedTopics: topics },
  } as const
  const head = {
    id: "msg_v35bfdk46kaiyhxly7uhlctygk",
    timestamp: "2026-03-11T09:05:02.000Z",
    isTest: true,
  }
  const named: EventSource = {
    ...source,
    audience: { ...source.audience, name: text(255) },
    destination: { ...source.destination, name: text(160) },
  }

  it("a contact keeps its addresses and short texts, and is still a result row", () => {
    const sent = { sequence: 10_000_000, change: "unchanged", contact: widest } as const

    const body = contactUpserted(head, named, sent)

    const { contact } = JSON.parse(body).data
    expect(Buffer.byteLength(body)).toBeLessThan(payloadBytesMax)
    expect(Buffer.byteLength(body)).toBeGreaterThan(0.97 * payloadBytesMax)
    expect(Schema.decodeUnknownSync(ResultRow)(contact)).toEqual(contact)
    expect(contact).toMatchObject({ email, linkedinUrl: null, seniority: "vp" })
    expect(contact.company).toMatchObject({ domain: widest.company.domain, linkedinUrl: null })
    expect(contact.intent.matchedTopics.map(({ topicId }: { topicId: number }) => topicId)).toEqual(
      topics.map(({ topicId }) => topicId),
    )
    expect(text(500).startsWith(contact.headline.slice(0, -1))).toBe(true)
    expect(Object.keys(contact)).toEqual(Object.keys(jane))
  })

  it("started and completed", () => {
    const completed = syncCompleted(head, named, {
      status: "failed",
      counts: { source: 1, processed: 1, sent: 0, skipped: 0, failed: 1 },
      removedSinceBaseline: 0,
      errorCode: "ALL_CONTACTS_FAILED",
      errorMessage: text(500),
      startedAt: head.timestamp,
      completedAt: head.timestamp,
      durationMs: 0,
    })

    expect(Buffer.byteLength(completed)).toBeLessThan(payloadBytesMax)
    expect(Buffer.byteLength(syncStarted(head, named))).toBeLessThan(payloadBytesMax)
    expect(JSON.parse(completed).data.audience.name).toBe(text(255))
  })
})

it("a long contact in one-byte letters is sent in full", () => {
  const head = { id: "msg_v35bfdk46kaiyhxly7uhlctygk", timestamp: "2026-03-11T09:05:02.000Z" }
  const contact: ResultRow = { ...jane, headline: "a".repeat(500), linkedinUrl: "a".repeat(2_048) }

  const body = contactUpserted(head, source, { sequence: 1, change: "added", contact })

  expect(JSON.parse(body).data.contact).toEqual(contact)
})

it("a sample names the person by the hash of its address", () => {
  const head = { id: "msg_sample", timestamp: "2026-03-11T09:05:02.000Z", isTest: true }
  const body = JSON.parse(sampleBody("intent.audience.contact.upserted", head, source))
  const { email, hashedEmail } = body.data.contact

  expect(body.test).toBe(true)
  expect(hashedEmail).toBe(createHash("sha256").update(email).digest("hex"))
})
