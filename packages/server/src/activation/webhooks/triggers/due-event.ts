// Who listens to what happens to people, and what they are sent (spec 8.5).
import type { OccasionKind } from "../../../people/visitors/occasions.ts"
import type { VisitorEvent } from "../delivery-record.ts"
import type { Trigger } from "../webhook.ts"

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
