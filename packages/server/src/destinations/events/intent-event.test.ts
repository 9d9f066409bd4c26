// The bodies of the worked example, byte for byte (decisions.md 12.12).
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
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

it("a sample names the person by the hash of its address", () => {
  const head = { id: "msg_sample", timestamp: "2026-03-11T09:05:02.000Z", isTest: true }
  const body = JSON.parse(sampleBody("intent.audience.contact.upserted", head, source))
  const { email, hashedEmail } = body.data.contact

  expect(body.test).toBe(true)
  expect(hashedEmail).toBe(createHash("sha256").update(email).digest("hex"))
})
