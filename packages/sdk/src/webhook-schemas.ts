// The sub-path @footfall/sdk/webhooks/schemas: the JSON Schema (draft 2020-12) of every event, for
// validators and generators in any language. Apart from the verifying, which needs none of them.

export { webhookEventSchemas } from "./webhooks/schemas/event.ts"
export type { JsonSchema } from "./webhooks/schemas/json-schema.ts"
