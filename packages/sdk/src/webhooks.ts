// The subpath @footfall/sdk/webhooks: verifies webhooks from Footfall, and signs test webhooks. It is separate from the
// client, has no dependencies, is at most 2 KB compressed, and uses only Web Crypto. It runs in Node, Deno, Bun, edge
// runtimes and browsers. The JSON Schemas are in @footfall/sdk/webhooks/schemas.

export { verifyWebhook } from "./webhooks/verify-webhook.ts"
export type { VerifyWebhookParams, WebhookHeaders } from "./webhooks/verify-webhook.ts"
export { signTestWebhook } from "./webhooks/signature.ts"
export type { SignedTestWebhook, SignTestWebhookParams } from "./webhooks/signature.ts"
export { WebhookVerificationError } from "./webhooks/verify-webhook.ts"
export type { WebhookRefusal } from "./webhooks/verify-webhook.ts"

// Events
export type { WebhookEvent, WebhookEventName } from "./webhooks/event.ts"
export type {
  IntentContactRemoved,
  IntentContactUpserted,
  IntentEvent,
  IntentSyncCompleted,
  IntentSyncStarted,
} from "./webhooks/intent-event.ts"
export type { WebhookContact } from "./webhooks/intent-event.ts"
export type {
  CompanyIdentified,
  PageViewed,
  SegmentEntered,
  SegmentLeft,
  VisitorEvent,
  VisitorIdentified,
  VisitorUpdated,
  WebhookCompany,
  WebhookTest,
  WebhookVisitor,
} from "./webhooks/event.ts"
