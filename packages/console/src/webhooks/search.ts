// URL search parameters of a webhook.
import type { WebhookDeliveryStatus } from "@footfall/sdk"
import type { Choice } from "../ui/field.tsx"

export interface WebhookSearch {
  /** Only events with this status are in the history. */
  readonly history?: WebhookDeliveryStatus | undefined
}

export const statusChoices: ReadonlyArray<Choice<WebhookDeliveryStatus | "">> = [
  { value: "", text: "All events" },
  { value: "succeeded", text: "Succeeded" },
  { value: "failed", text: "Failed" },
  { value: "queued", text: "Queued" },
  { value: "skipped", text: "Skipped" },
]

export const readWebhookSearch = ({ history }: Record<string, unknown>): WebhookSearch => {
  const status = statusChoices.find(({ value }) => value === history)?.value
  return status === undefined || status === "" ? {} : { history: status }
}
