// What a webhook of Footfall carries: an event of a destination, or one of a visitor webhook. `event`
// tells which. A kind that this version does not know verifies too, so let a switch have a default.

import type { IntentEvent } from "./intent-event.ts"
import type { VisitorEvent } from "./visitor-event.ts"

export type WebhookEvent = IntentEvent | VisitorEvent

export type WebhookEventName = WebhookEvent["event"]
