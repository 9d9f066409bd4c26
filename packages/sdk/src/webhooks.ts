// The sub-path @footfall/sdk/webhooks: verifying what Footfall sends, and signing what a test sends.
// Apart from the client: no dependency, at most 2 KB compressed, Web Crypto alone, so that it runs in
// Node, Deno, Bun, edge runtimes and browsers. The JSON Schemas are in @footfall/sdk/webhooks/schemas.

export { verifyWebhook } from "./webhooks/verify-webhook.ts"
export type { VerifyWebhookParams, WebhookHeaders } from "./webhooks/verify-webhook.ts"
export { signTestWebhook } from "./webhooks/sign-test-webhook.ts"
export type { SignedTestWebhook, SignTestWebhookParams } from "./webhooks/sign-test-webhook.ts"
export { WebhookVerificationError } from "./webhooks/verify-webhook.ts"
export type { WebhookRefusal } from "./webhooks/verify-webhook.ts"

// Events
export type { WebhookEvent, WebhookEventName } from "./webhooks/event.ts"
export type {
  IntentContactUpserted,
  IntentEvent,
  IntentSyncCompleted,
  IntentSyncStarted,
} from "./webhooks/intent-event.ts"
export type { WebhookContact } from "./webhooks/intent-event.ts"
export type {
  CompanyIdentified,
  VisitorEvent,
  VisitorIdentified,
  VisitorUpdated,
  WebhookCompany,
  WebhookTest,
  WebhookVisitor,
} from "./webhooks/event.ts"
