// The content of a test call: sample data in the form of real events (spec 5.10, 8.3). Names use reserved domains.
import type { ResultRow } from "../../../intent/runs/results/result-row.ts"
import type { EventType } from "../destination.ts"
import {
  contactUpserted,
  type EventHead,
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

/** All times equal `head.timestamp`. */
export const sampleBody = (
  type: EventType,
  head: EventHead,
  {
    audience,
    destination,
    organizationId,
  }: Pick<EventSource, "audience" | "destination" | "organizationId">,
): string => {
  const { timestamp } = head
  const source: EventSource = {
    organizationId,
    audience,
    destination,
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
  }
  switch (type) {
    case "intent.audience.sync.started":
      return syncStarted(head, source)
    case "intent.audience.contact.upserted":
      return contactUpserted(head, source, { sequence: 1, change: "added", contact })
    case "intent.audience.sync.completed":
      return syncCompleted(head, source, {
        status: "completed",
        counts: { source: 1, processed: 1, sent: 1, skipped: 0, failed: 0 },
        removedSinceBaseline: 0,
        errorCode: null,
        errorMessage: null,
        startedAt: timestamp,
        completedAt: timestamp,
        durationMs: 0,
      })
  }
}

/** Ids that no delivery or run can have. */
const sampleId = (place: number): string => `00000000-0000-4000-8000-00000000000${place}`
