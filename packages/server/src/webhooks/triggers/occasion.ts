// An event in a person's history that webhooks can subscribe to (spec 8.5).
import type { VisitorEvent } from "../delivery-record.ts"
import type { Trigger } from "../webhook.ts"

/**
 * `activity`: anything an identified person did, which may match for the first time. `session`: a session newly
 * attributed to them. `profile`: a visit added to their profile. `import`: only an import changed them. `release`: they
 * are no longer held back. `session_end`: 30 minutes without an event.
 */
export type OccasionKind = "activity" | "import" | "profile" | "release" | "session" | "session_end"

export interface Occasion {
  readonly organizationId: string
  readonly visitorId: string
  /** The pixel that saw it; null for the pixel of their last session. */
  readonly pixelId: string | null
  readonly kind: OccasionKind
}

/** An active webhook and what it subscribes to. */
export interface Listener {
  readonly organizationId: string
  readonly webhookId: string
  readonly trigger: Trigger
  readonly pixelId: string | null
  readonly segment: { readonly id: string; readonly name: string } | null
}

/** What one webhook should receive about one person, if its segment includes them. */
export interface DueEvent {
  readonly organizationId: string
  readonly webhookId: string
  readonly visitorId: string
  readonly pixelId: string
  readonly event: VisitorEvent
  /** The kind of any occasion that would send the same event. */
  readonly kind: OccasionKind
  /** As the database prints it. */
  readonly dueAt: string
}
