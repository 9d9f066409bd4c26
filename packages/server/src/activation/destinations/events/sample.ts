// The content of a test call: sample data in the form of real events (spec 5.10, 8.3). Names use reserved domains.
import type { ResultRow } from "../../../intent/runs/results/result-row.ts"
import type { EventType } from "../destination.ts"
import { type EventFormat, type EventHead, standard } from "./format.ts"
import {
  contactData,
  contactRemoved,
  contactUpserted,
  type EventSource,
  syncCompleted,
  syncStarted,
} from "./intent-event.ts"

const contact: ResultRow = {
  // SHA-256 of the address below.
  hashedEmail: "d590e396e8a02123799747151e98ff2715f9ea8db5d6b2cf50c60073870983e2",
  firstName: "Sam",
  lastName: "Sample",
  fullName: "Sam Sample",
  email: "sam.sample@footfall-test.example",
  businessEmail: "sam.sample@footfall-test.example",
  personalEmail: null,
  primaryContactEmail: "sam.sample@footfall-test.example",
  emailStatus: "valid",
  phone: "+12025550123",
  linkedinUrl: null,
  headline: null,
  jobTitle: "Test Contact",
  seniority: "manager",
  department: "operations",
  company: {
    name: "Footfall Test",
    domain: "footfall-test.example",
    industry: "software",
    industryGroup: null,
    revenueRange: null,
    size: null,
    linkedinUrl: null,
  },
  geo: { city: "Springfield", state: "IL", country: "US" },
  demographics: { ageRange: null, gender: null },
  isB2b: "y",
  intent: {
    score: 90,
    topicOverlap: 1,
    matchedTopics: [
      {
        topicId: 1,
        topicName: "Sample Topic",
        type: "b2b",
        industry: "sample",
        category: "sample",
      },
    ],
  },
}

/** The organization, audience and destination of a sample; the rest is made up. */
type Owner = Pick<EventSource, "audience" | "destination" | "organizationId">

const sourceOf = (timestamp: string, owner: Owner): EventSource => ({
  ...owner,
  delivery: {
    id: sampleId(1),
    mode: "initial",
    sourceRunId: sampleId(2),
    baselineRunId: null,
    sourceCount: 1,
  },
  run: {
    id: sampleId(2),
    dataDate: timestamp.slice(0, 10),
    runType: "manual",
    resultCount: 1,
    completedAt: timestamp,
  },
})

const sent = { sequence: 1, change: "added", contact } as const

/** All times equal `head.timestamp`. */
export const sampleBody = (
  type: EventType,
  head: EventHead,
  owner: Owner,
  format: EventFormat = standard,
): string => {
  const { timestamp } = head
  const source = sourceOf(timestamp, owner)
  switch (type) {
    case "intent.audience.sync.started":
      return syncStarted(head, source, format)
    case "intent.audience.contact.upserted":
      return contactUpserted(head, source, sent, format)
    case "intent.audience.contact.removed": {
      const gone = {
        of: { ...source, sequence: 2 },
        reason: "left",
        contact: { hashedEmail: contact.hashedEmail, externalKey: null },
      } as const
      return contactRemoved(head, source, gone, format)
    }
    case "intent.audience.sync.completed": {
      const outcome = {
        status: "completed",
        counts: { source: 1, processed: 1, sent: 1, skipped: 0, failed: 0 },
        removedSinceBaseline: 0,
        errorCode: null,
        errorMessage: null,
        startedAt: timestamp,
        completedAt: timestamp,
        durationMs: 0,
      } as const
      return syncCompleted(head, source, outcome, format)
    }
  }
}

/** Ids that no delivery or run can have. */
const sampleId = (place: number): string => `00000000-0000-4000-8000-00000000000${place}`

export const sampleDestination = { id: sampleId(3), name: "Sample", configRevision: 1 }

/** Data of a contact's event, with every path that a template may use. */
export const sampleData: object = contactData(
  sourceOf("2026-03-11T09:05:00.000Z", {
    organizationId: sampleId(5),
    audience: { id: sampleId(4), name: "Sample" },
    destination: sampleDestination,
  }),
  sent,
)
