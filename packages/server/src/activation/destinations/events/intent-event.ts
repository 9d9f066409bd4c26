// The bodies of intent events, exactly as they are signed and sent (spec 8.2, 8.3, 12.12): one line of JSON with the
// keys in this order, the same on every attempt, and below 20 KB. A contact's longest texts are shortened if the body
// would be longer. Only a template may have more (spec 8.2.2).
import { type Fit, fitted } from "../../../platform/outbound/payload.ts"
import type { ResultRow } from "../../../intent/runs/results/result-row.ts"
import type { EventType } from "../destination.ts"
import { type EventFormat, type EventHead, standard } from "./format.ts"

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

export interface ContactSent {
  /** Position within the delivery, from 1. */
  readonly sequence: number
  readonly change: "added" | "updated" | "unchanged"
  readonly contact: ResultRow
}

/** Someone who is to be removed. */
export interface ContactGone {
  /** Null if they were erased, which waits for no delivery. */
  readonly of: {
    /** Position within the delivery, after its contacts. */
    readonly sequence: number
    readonly delivery: EventSource["delivery"]
    readonly run: EventSource["run"]
  } | null
  readonly reason: "left" | "suppressed" | "erased"
  readonly contact: {
    readonly hashedEmail: string
    /** By which your own systems know them. */
    readonly externalKey: string | null
  }
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

export const syncStarted = (
  head: EventHead,
  source: EventSource,
  format: EventFormat = standard,
): string => bodyOf(format, "intent.audience.sync.started", head, source, syncOf(source))

export const contactUpserted = (
  head: EventHead,
  source: EventSource,
  sent: ContactSent,
  format: EventFormat = standard,
): string => {
  const written = (contact: ResultRow) =>
    bodyOf(
      format,
      "intent.audience.contact.upserted",
      head,
      source,
      contactData(source, { ...sent, contact }),
    )
  return fitted(written(sent.contact), (fit) => written(withTexts(sent.contact, fit)))
}

/** `data` of a contact's event. */
export const contactData = (
  { audience, delivery, run }: EventSource,
  { change, contact, sequence }: ContactSent,
): object => ({
  audience,
  delivery: { id: delivery.id, mode: delivery.mode, sequence },
  runId: run.id,
  dataDate: run.dataDate,
  change,
  contact,
})

export const syncCompleted = (
  head: EventHead,
  source: EventSource,
  outcome: SyncOutcome,
  format: EventFormat = standard,
): string =>
  bodyOf(format, "intent.audience.sync.completed", head, source, {
    ...syncOf(source),
    ...outcome,
  })

export const contactRemoved = (
  head: EventHead,
  source: Pick<EventSource, "audience" | "organizationId">,
  { contact, of, reason }: ContactGone,
  format: EventFormat = standard,
): string =>
  bodyOf(format, "intent.audience.contact.removed", head, source, {
    audience: source.audience,
    delivery: of && { id: of.delivery.id, mode: of.delivery.mode, sequence: of.sequence },
    runId: of && of.run.id,
    dataDate: of && of.run.dataDate,
    reason,
    contact,
  })

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
  format: EventFormat,
  event: EventType,
  head: EventHead,
  { organizationId }: Pick<EventSource, "organizationId">,
  data: object,
): string => format.written(event, head, organizationId, data)
