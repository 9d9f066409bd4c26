// Schemas of webhook destination events. Source: spec 8.2, 8.3.
import {
  constant,
  count,
  date,
  type JsonSchema,
  listOf,
  messageId,
  object,
  oneOf,
  orNull,
  sha256,
  text,
  textOrNull,
  timestamp,
  uuid,
} from "./json-schema.ts"

// Schema of one person in an audience's results. Source: spec 2.13, 2.18.

const contact = object({
  hashedEmail: sha256,
  firstName: textOrNull,
  lastName: textOrNull,
  fullName: textOrNull,
  email: textOrNull,
  businessEmail: textOrNull,
  personalEmail: textOrNull,
  primaryContactEmail: textOrNull,
  emailStatus: textOrNull,
  phone: textOrNull,
  linkedinUrl: textOrNull,
  headline: textOrNull,
  jobTitle: textOrNull,
  seniority: textOrNull,
  department: textOrNull,
  company: object({
    name: textOrNull,
    domain: textOrNull,
    industry: textOrNull,
    industryGroup: textOrNull,
    revenueRange: textOrNull,
    size: textOrNull,
    linkedinUrl: textOrNull,
  }),
  geo: object({ city: textOrNull, state: textOrNull, country: textOrNull }),
  demographics: object({ ageRange: textOrNull, gender: textOrNull }),
  isB2b: orNull(oneOf("y", "n")),
  intent: orNull(
    object({
      score: { type: "integer", minimum: 1, maximum: 100 },
      topicOverlap: count,
      matchedTopics: listOf(
        object({
          topicId: { type: "integer" },
          topicName: text,
          type: oneOf("b2b", "b2c", "both"),
          industry: text,
          category: text,
        }),
      ),
    }),
  ),
})

const named = { id: uuid, name: text }
const mode = oneOf("initial", "incremental", "full_resync")

const sync = {
  audience: object(named),
  destination: object({ ...named, configRevision: { type: "integer", minimum: 1 } }),
  delivery: object({
    id: uuid,
    mode,
    sourceRunId: uuid,
    baselineRunId: orNull(uuid),
    sourceCount: count,
  }),
  run: object({
    id: uuid,
    dataDate: date,
    runType: oneOf("manual", "daily"),
    resultCount: count,
    completedAt: timestamp,
  }),
}

const envelope = (event: string, data: JsonSchema): JsonSchema =>
  object(
    {
      id: messageId,
      event: constant(event),
      timestamp,
      apiVersion: constant("v1"),
      organizationId: uuid,
      data,
    },
    { test: constant(true) },
  )

export const intentSyncStarted = envelope("intent.audience.sync.started", object(sync))

export const intentContactUpserted = envelope(
  "intent.audience.contact.upserted",
  object({
    audience: object(named),
    delivery: object({ id: uuid, mode, sequence: { type: "integer", minimum: 1 } }),
    runId: uuid,
    dataDate: date,
    change: oneOf("added", "updated", "unchanged"),
    contact,
  }),
)

export const intentContactRemoved = envelope(
  "intent.audience.contact.removed",
  object({
    audience: object(named),
    delivery: orNull(object({ id: uuid, mode, sequence: { type: "integer", minimum: 1 } })),
    runId: orNull(uuid),
    dataDate: orNull(date),
    reason: oneOf("left", "suppressed", "erased"),
    contact: object({ hashedEmail: sha256, externalKey: textOrNull }),
  }),
)

export const intentSyncCompleted = envelope(
  "intent.audience.sync.completed",
  object({
    ...sync,
    status: oneOf("completed", "failed"),
    counts: object({ source: count, processed: count, sent: count, skipped: count, failed: count }),
    removedSinceBaseline: count,
    errorCode: textOrNull,
    errorMessage: textOrNull,
    startedAt: timestamp,
    completedAt: timestamp,
    durationMs: count,
  }),
)
