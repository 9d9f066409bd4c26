// One visitor webhook on a terminal.

import type { VisitorWebhook } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { Facts } from "./Facts.tsx"
import { counted, countText } from "./figures.ts"
import { timeAgo } from "./time.ts"

/** The webhook, and the moment it is looked at. */
export interface VisitorWebhookViewProps {
  readonly webhook: VisitorWebhook
  readonly now: Date
  readonly screenColumns: number
}

/** What went wrong last stands last, where the eye rests. */
export const VisitorWebhookView = (props: VisitorWebhookViewProps): ReactNode => {
  const { now, screenColumns, webhook } = props
  const { stats } = webhook
  const ago = (time: string | null) => (time === null ? null : timeAgo(time, now))
  const error =
    stats.lastErrorMessage === null ? null : `${stats.lastErrorMessage} ${ago(stats.lastErrorAt)}`
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{plainText(webhook.name)}</Text>
        <Text dimColor>{` · ${webhook.status}`}</Text>
      </Text>
      <Facts
        facts={[
          ["Sends to", webhook.url],
          ["Trigger", webhook.trigger],
          ["Segment", webhook.segmentId ?? "everybody"],
          ["Pixel", `${webhook.pixelId ?? "all"}${webhook.pixelDeleted ? " (deleted)" : ""}`],
          ["Timeout", `${countText(webhook.timeoutMs)} ms`],
          ["Sent", counted(stats.deliveries, "event")],
          ["Accepted", stats.successRate === null ? null : `${stats.successRate} %`],
          ["Last sent", ago(stats.lastDeliveredAt)],
          ["Failed in a row", `${stats.consecutiveFailures}`],
          ["Last error", error],
          ["Id", webhook.id],
        ]}
      />
      {webhook.pixelDeleted ? (
        <Text>
          {"Its pixel was deleted, so this webhook never fires. Set another pixel or delete it:\n" +
            `  footfall webhooks update ${webhook.id} --pixel <pixel>\n` +
            `  footfall webhooks delete ${webhook.id}`}
        </Text>
      ) : null}
    </Box>
  )
}
