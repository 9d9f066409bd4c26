// Events of a webhook destination: a delivery starts, it sends one contact, it removes one, it ends. There is one
// request per contact. Contacts arrive in any order between the start and the end. Source: spec
// 8.2, 8.3.
import type { Topic } from "../resources/topics.ts"

// One person in an audience's results, as a destination receives them. Keys are never missing; unknown values are null.
// Source: spec 2.13.

export interface WebhookContact {
  /** SHA-256 of the normalized primary email address, 64 lower-case hexadecimal characters. */
  readonly hashedEmail: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  /** Primary email address. */
  readonly email: string | null
  readonly businessEmail: string | null
  readonly personalEmail: string | null
  /** The business email address, or the personal one if there is none. */
  readonly primaryContactEmail: string | null
  readonly emailStatus: string | null
  /** E.164. */
  readonly phone: string | null
  readonly linkedinUrl: string | null
  readonly headline: string | null
  readonly jobTitle: string | null
  readonly seniority: string | null
  readonly department: string | null
  readonly company: {
    readonly name: string | null
    readonly domain: string | null
    readonly industry: string | null
    readonly industryGroup: string | null
    readonly revenueRange: string | null
    /** A range, for example `201-500`. */
    readonly size: string | null
    readonly linkedinUrl: string | null
  }
  readonly geo: {
    readonly city: string | null
    readonly state: string | null
    readonly country: string | null
  }
  readonly demographics: { readonly ageRange: string | null; readonly gender: string | null }
  readonly isB2b: "y" | "n" | null
  /** Null in an audience without topics. */
  readonly intent: {
    /** 1 to 100. */
    readonly score: number
    readonly topicOverlap: number
    readonly matchedTopics: ReadonlyArray<Topic>
  } | null
}

export type IntentEvent =
  | IntentSyncStarted
  | IntentContactUpserted
  | IntentContactRemoved
  | IntentSyncCompleted

interface Envelope<Event extends string, Data> {
  /** The same as `webhook-id`. It stays the same on every attempt, so use it to recognize a repeated request. */
  readonly id: string
  readonly event: Event
  /** Time of the event, not of the attempt. */
  readonly timestamp: string
  readonly apiVersion: "v1"
  readonly organizationId: string
  readonly data: Data
  /** Set only for a test, whose data is made up. */
  readonly test?: true
}

export type IntentSyncStarted = Envelope<"intent.audience.sync.started", Sync>

export type IntentContactUpserted = Envelope<
  "intent.audience.contact.upserted",
  {
    readonly audience: Named
    readonly delivery: {
      readonly id: string
      readonly mode: DeliveryMode
      /** Position in the delivery, from 1. */
      readonly sequence: number
    }
    readonly runId: string
    /** YYYY-MM-DD. */
    readonly dataDate: string
    /** `unchanged` only in a `full_resync`. */
    readonly change: "added" | "updated" | "unchanged"
    readonly contact: WebhookContact
  }
>

export type IntentContactRemoved = Envelope<
  "intent.audience.contact.removed",
  {
    readonly audience: Named
    /** Null for someone who was erased, because an erasure waits for no delivery. */
    readonly delivery: {
      readonly id: string
      readonly mode: DeliveryMode
      /** Position in the delivery, after its contacts. */
      readonly sequence: number
    } | null
    readonly runId: string | null
    /** YYYY-MM-DD. */
    readonly dataDate: string | null
    /** `left`: no longer in the audience. `erased`: delete everything that you have about the person. */
    readonly reason: "left" | "suppressed" | "erased"
    readonly contact: {
      /** SHA-256 of the normalized primary email address, 64 lower-case hexadecimal characters. */
      readonly hashedEmail: string
      /** The id that your own systems have for the person (`external_id`), if Footfall knows it. */
      readonly externalKey: string | null
    }
  }
>

export type IntentSyncCompleted = Envelope<
  "intent.audience.sync.completed",
  Sync & {
    readonly status: "completed" | "failed"
    readonly counts: {
      readonly source: number
      readonly processed: number
      readonly sent: number
      readonly skipped: number
      readonly failed: number
    }
    /** Number of contacts in the previous run that are not in this one. */
    readonly removedSinceBaseline: number
    readonly errorCode: string | null
    readonly errorMessage: string | null
    readonly startedAt: string
    readonly completedAt: string
    readonly durationMs: number
  }
>

interface Sync {
  readonly audience: Named
  readonly destination: Named & { readonly configRevision: number }
  readonly delivery: {
    readonly id: string
    readonly mode: DeliveryMode
    readonly sourceRunId: string
    readonly baselineRunId: string | null
    readonly sourceCount: number
  }
  readonly run: {
    readonly id: string
    /** YYYY-MM-DD. */
    readonly dataDate: string
    readonly runType: "manual" | "daily"
    readonly resultCount: number
    readonly completedAt: string
  }
}

interface Named {
  readonly id: string
  readonly name: string
}

type DeliveryMode = "initial" | "incremental" | "full_resync"
