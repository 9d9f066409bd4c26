// The `webhooks` of the OpenAPI documents (3.1): every event of chapter 8 of the specification, with the SDK's schemas,
// which a test compares with what the server sends (test/parity/webhook-events.test.ts). Here and not in the server,
// which does not import the SDK.
import { type JsonSchema, webhookEventSchemas } from "@footfall/sdk/webhooks/schemas"

type EventName = keyof typeof webhookEventSchemas

const summaries: Readonly<Record<EventName, string>> = {
  "intent.audience.sync.started": "A delivery of an audience starts",
  "intent.audience.contact.upserted": "A contact of an audience is new or has changed",
  "intent.audience.contact.removed": "A contact has left an audience, or was suppressed or erased",
  "intent.audience.sync.completed": "A delivery of an audience has ended",
  "visitor.identified": "A person is identified",
  "visitor.updated": "An identified person visits again or has changed",
  "company.identified": "A company visits",
  "page.viewed": "A page is viewed",
  "segment.entered": "A person or company enters a segment",
  "segment.left": "A person or company leaves a segment",
  "webhook.test": "A test of a webhook, with made-up data",
}

const description =
  "Signed as Standard Webhooks 1.0. Check the signature over the raw body before you use it, and ignore fields that you don't know. Any 2xx within the timeout is a success; other responses are retried."

const header = (name: string, text: string, schema: JsonSchema) => ({
  name,
  in: "header",
  required: true,
  description: text,
  schema,
})

const parameters = [
  header("webhook-id", "The same on every attempt.", { type: "string" }),
  header("webhook-timestamp", "Time of the attempt in Unix seconds.", { type: "string" }),
  header(
    "webhook-signature",
    "`v1,` and the signature in base64. Several, separated by spaces, while a secret is being replaced.",
    { type: "string" },
  ),
  header("webhook-attempt", "Number of the attempt, starting at 1.", { type: "string" }),
]

const operationOf = (name: EventName) => ({
  post: {
    operationId: `events.${name}`,
    tags: [name.startsWith("intent.") ? "Destinations" : "Visitor webhooks"],
    summary: summaries[name],
    description,
    parameters,
    requestBody: {
      required: true,
      content: { "application/json": { schema: webhookEventSchemas[name] } },
    },
    responses: {
      "2XX": { description: "The event was received." },
      "410": { description: "Send nothing more." },
    },
    security: [],
  },
})

/** `prefix`: how the paths of the document begin. Events belong to the part of the API that creates their webhooks. */
export const webhookOperations = (prefix: string) =>
  Object.fromEntries(
    (Object.keys(webhookEventSchemas) as ReadonlyArray<EventName>) // the table's own keys
      .filter((name) => `/v1/${name.startsWith("intent.") ? "intent" : "data"}`.startsWith(prefix))
      .map((name) => [name, operationOf(name)]),
  )
