// The subpath @footfall/sdk/webhooks/schemas: the JSON Schema (draft 2020-12) of every event, for validators and
// generators in any language. It is separate because verifying a webhook needs no schemas.

export { webhookEventSchemas } from "./webhooks/schemas/event.ts"
export type { JsonSchema } from "./webhooks/schemas/json-schema.ts"
