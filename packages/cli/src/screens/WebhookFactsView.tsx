// A webhook whose signature is right, on a terminal.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import type { EventFacts } from "../webhook/event-facts.ts"
import { Facts } from "./Facts.tsx"
import { timeAgo } from "./time.ts"

/** What is said of it and the width there is. */
export interface WebhookFactsViewProps {
  readonly facts: Omit<EventFacts, "payload">
  readonly now: Date
  readonly screenColumns: number
}

/** The verdict, and below it what was signed. */
export const WebhookFactsView = ({
  facts,
  now,
  screenColumns,
}: WebhookFactsViewProps): ReactNode => {
  const { attempt, event, id, isTest, sentAt } = facts
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text color="green">✓ signed with this secret</Text>
      <Facts
        facts={[
          ["Event", isTest ? `${event} (a test)` : event],
          ["Id", id],
          ["Attempt", attempt === null ? null : String(attempt)],
          ["Sent", sentAt === null ? null : `${sentAt} (${timeAgo(sentAt, now)})`],
        ]}
      />
    </Box>
  )
}
