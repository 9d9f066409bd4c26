// Something that happened to a person that webhooks may subscribe to (spec 8.5).
import type { VisitorEvent } from "../delivery-record.ts"
import type { Trigger } from "../webhook.ts"

/**
 * `activity`: anything an identified person did; it can be the first time that they match.
 * `session`: a session that was not theirs before. `profile`: a visit added something to their profile.
 * `import`: an import alone did. `release`: they are held back no longer. `session_end`: 30 minutes
 * without an event.
 */
export type OccasionKind = "activity" | "import" | "profile" | "release" | "session" | "session_end"

export interface Occasion {
  readonly organizationId: string
  readonly visitorId: string
  /** The one that saw it; null: that of their last session. */
  readonly pixelId: string | null
  readonly kind: OccasionKind
}

/** An active webhook with what it asks. */
export interface Listener {
  readonly organizationId: string
  readonly webhookId: string
  readonly trigger: Trigger
  readonly pixelId: string | null
  readonly segment: { readonly id: string; readonly name: string } | null
}

/** What one webhook is to receive about one person, unless its segment leaves them out. */
export interface Telling {
  readonly organizationId: string
  readonly webhookId: string
  readonly visitorId: string
  readonly pixelId: string
  readonly event: VisitorEvent
  /** Of an occasion that would tell the same. */
  readonly kind: OccasionKind
  /** As the database writes it. */
  readonly dueAt: string
}
