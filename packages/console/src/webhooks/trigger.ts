import type { VisitorWebhookTrigger } from "@footfall/sdk"

export const triggerWords: Readonly<Record<VisitorWebhookTrigger, string>> = {
  first_match: "once per person",
  every_update: "on every update",
  company_seen: "when a company visits",
  page_viewed: "when a page is viewed",
  entered_segment: "when a person or company enters the view",
  left_segment: "when a person or company leaves the view",
}
