// Destinations as text. Pure.

import type { Destination } from "@footfall/sdk"
import { counted } from "../ui/text.ts"

/** `needs attention (ENDPOINT_GONE)`, including why it stopped. */
export const destinationStatusText = ({ retrying, stats, status }: Destination): string => {
  if (retrying !== null) {
    return `${status}, retrying (${counted(retrying.count, "failed attempt")})`
  }
  return status === "needs_attention"
    ? `needs attention${stats.lastErrorCode === null ? "" : ` (${stats.lastErrorCode})`}`
    : status
}

/** The host of a webhook, or the list. */
export const destinationTarget = (destination: Destination): string => {
  if (destination.destinationType === "webhook") {
    const { url } = destination.webhook
    return URL.canParse(url) ? new URL(url).host : url
  }
  const { listId, listName } = destination.automation.config
  return listName ?? listId
}
