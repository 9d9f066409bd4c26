// Who listens to what happens to people, and what they are sent (spec 8.5, 8.6).
import type { OccasionKind } from "../../../people/visitors/occasions.ts"
import type { SeenPage, VisitorEvent } from "../delivery-record.ts"
import type { Trigger } from "../webhook.ts"

/** An active webhook and what it subscribes to. */
export interface Listener {
  readonly organizationId: string
  readonly webhookId: string
  readonly trigger: Trigger
  readonly pixelId: string | null
  readonly segment: { readonly id: string; readonly name: string } | null
  /** With the trigger `page_viewed`; null sends every page. */
  readonly path: string | null
}

/** Something to send, if who it is about is in the webhook's segment. */
export type Asked = AskedPerson | AskedCompany

export interface AskedCompany {
  readonly organizationId: string
  readonly webhookId: string
  readonly sessionId: string
  readonly pixelId: string
  /** The company of the session. */
  readonly domain: string
}

export interface AskedPerson {
  readonly organizationId: string
  readonly webhookId: string
  readonly visitorId: string
  readonly pixelId: string
  /** The kind of any occasion that would send the same event. */
  readonly kind: OccasionKind
  /** The page view to send; absent for other events. */
  readonly view?: { readonly sessionId: string; readonly page: SeenPage }
}

/** What one webhook should receive about one person, if its segment includes them. */
export interface DueEvent extends AskedPerson {
  readonly event: VisitorEvent
  /** As the database prints it. */
  readonly dueAt: string
}

/** A session that an alert about page views may send: whose it is, and what is asked of its page views. */
export interface Candidate {
  readonly organizationId: string
  readonly webhookId: string
  readonly sessionId: string
  readonly pixelId: string
  /** Null for an anonymous visit of a company. */
  readonly visitorId: string | null
  /** Of an anonymous visit; null for a person. */
  readonly companyDomain: string | null
  /** The company of the visit, also of a person's. */
  readonly companyKey: string | null
  readonly minSeconds: number
  /** Whether the same person or company is sent once in several sessions. */
  readonly isLimited: boolean
  /** Earlier page views are not sent. Epoch milliseconds. */
  readonly watchedFrom: number
  /** `YYYY-MM-DD`: the first day on which the session's events were received. */
  readonly receivedFrom: string
}

/** A company that a webhook sends, if its segment contains it. */
export interface DueCompany extends AskedCompany {
  readonly event: "company.identified"
  readonly isEverySession: boolean
}

/** What one webhook receives about one company. */
export interface CompanyEvent extends Pick<Listener, "organizationId" | "segment" | "webhookId"> {
  readonly event: "company.identified" | "segment.entered" | "segment.left"
  readonly domain: string
  readonly pixelId: string
  /** The session that it is about, if each is sent. */
  readonly sessionId?: string
  readonly isEverySession?: boolean
}

/** A page view that an alert sends. */
export interface DueView extends Candidate {
  readonly page: SeenPage
}
