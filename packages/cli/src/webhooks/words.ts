// Webhooks as text. Pure.

import type { VisitorWebhook } from "@footfall/sdk"
import { counted } from "../ui/text.ts"

/** `active, retrying (3 failed attempts)`, or what keeps it from sending. */
export const webhookStatusText = ({ pixelDeleted, retrying, status }: VisitorWebhook): string => {
  if (pixelDeleted) return `${status}, pixel deleted`
  return retrying === null
    ? status
    : `${status}, retrying (${counted(retrying.count, "failed attempt")})`
}
