// The bodies of intent events, exactly as they are signed and sent (spec 8.2, 8.3, 12.12): one line of JSON with the
// keys in this order, the same on every attempt, and always below 20 KB. A contact's longest texts are shortened if the
// body would be longer.
import { type Fit, fitted } from "../../../platform/outbound/payload.ts"
import type { ResultRow } from "../../../intent/runs/results/result-row.ts"
import type { EventType } from "../destination.ts"

/** The part of each event that describes its delivery. */
export interface EventSource {
  readonly organizationId: string
  readonly audience: { readonly id: string; readonly name: string }
  readonly destination: {
    readonly id: string
    readonly name: string
    readonly configRevision: number
  }
  readonly delivery: {
    readonly id: string
    readonly mode: "initial" | "incremental" | "full_resync"
    readonly sourceRunId: string
    readonly baselineRunId: string | null
    readonly sourceCount: number
  }
  readonly run: {
    readonly id: string
    readonly dataDate: string
    readonly runType: "manual" | "daily"
    readonly resultCount: number
    readonly completedAt: string
  }
}

export interface EventHead {
  /** Equals `webhook-id`. */
  readonly id: string
  /** ISO 8601; the time of the event, not of the attempt. */
  readonly timestamp: string
  /** Adds `test: true` for a test call. Default: omitted. */
  readonly isTest?: boolean
}

export interface ContactSent {
  /** Position within the delivery, from 1. */
  readonly sequence: number
  readonly change: "added" | "updated" | "unchanged"
  readonly contact: ResultRow
}

export interface SyncOutcome {
  readonly status: "completed" | "failed"
  readonly counts: {
    readonly source: number
    readonly processed: number
    readonly sent: number
    readonly skipped: number
    readonly failed: number
  }
  readonly removedSinceBaseline: number
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly startedAt: string
  readonly completedAt: string
  readonly durationMs: number
}

export const syncStarted = (head: EventHead, source: EventSource): string =>
  bodyOf("intent.audience.sync.started", head, source, syncOf(source))

export const contactUpserted = (
  head: EventHead,
  source: EventSource,
  { change, contact: known, sequence }: ContactSent,
): string => {
  const written = (contact: ResultRow) =>
    bodyOf("intent.audience.contact.upserted", head, source, {
      audience: source.audience,
      delivery: { id: source.delivery.id, mode: source.delivery.mode, sequence },
      runId: source.run.id,
      dataDate: source.run.dataDate,
      change,
      contact,
    })
  return fitted(written(known), (fit) => written(withTexts(known, fit)))
}

export const syncCompleted = (head: EventHead, source: EventSource, outcome: SyncOutcome): string =>
  bodyOf("intent.audience.sync.completed", head, source, { ...syncOf(source), ...outcome })

/**
 * Shortens those texts of a person or topic that have no fixed vocabulary or short normal form. Each keeps its place.
 */
const withTexts = (contact: ResultRow, { whole, words }: Fit): ResultRow => {
  const { company, geo, intent } = contact
  return {
    ...contact,
    firstName: words(contact.firstName),
    lastName: words(contact.lastName),
    fullName: words(contact.fullName),
    linkedinUrl: whole(contact.linkedinUrl),
    headline: words(contact.headline),
    jobTitle: words(contact.jobTitle),
    company: {
      ...company,
      name: words(company.name),
      industry: words(company.industry),
      industryGroup: words(company.industryGroup),
      linkedinUrl: whole(company.linkedinUrl),
    },
    geo: { ...geo, city: words(geo.city), state: words(geo.state) },
    intent: intent && {
      ...intent,
      matchedTopics: intent.matchedTopics.map((topic) => ({
        ...topic,
        topicName: words(topic.topicName),
        industry: words(topic.industry),
        category: words(topic.category),
      })),
    },
  }
}

const syncOf = ({ audience, delivery, destination, run }: EventSource) => ({
  audience,
  destination,
  delivery,
  run,
})

const bodyOf = (
  event: EventType,
  { id, isTest = false, timestamp }: EventHead,
  { organizationId }: EventSource,
  data: object,
): string =>
  JSON.stringify({
    id,
    event,
    timestamp,
    apiVersion: "v1",
    organizationId,
    data,
    ...(isTest ? { test: true } : {}),
  })
