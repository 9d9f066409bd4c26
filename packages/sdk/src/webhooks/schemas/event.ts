// The schema of every event, by its name.

import type { WebhookEventName } from "../event.ts"
import { intentContactUpserted, intentSyncCompleted, intentSyncStarted } from "./intent-event.ts"
import type { JsonSchema } from "./json-schema.ts"
import { visitorIdentified, visitorUpdated, webhookTest } from "./visitor-event.ts"

/** Of the body of a request, draft 2020-12. Keys that come later are allowed by every one of them. */
export const webhookEventSchemas: Readonly<Record<WebhookEventName, JsonSchema>> = {
  "intent.audience.sync.started": intentSyncStarted,
  "intent.audience.contact.upserted": intentContactUpserted,
  "intent.audience.sync.completed": intentSyncCompleted,
  "visitor.identified": visitorIdentified,
  "visitor.updated": visitorUpdated,
  "webhook.test": webhookTest,
}
