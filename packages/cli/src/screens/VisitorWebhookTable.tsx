// The visitor webhooks on a terminal.

import type { VisitorWebhook } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { Table, type Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** At most 20, which is a page. */
export interface VisitorWebhookTableProps {
  readonly webhooks: ReadonlyArray<VisitorWebhook>
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const VisitorWebhookTable = (props: VisitorWebhookTableProps): ReactNode => {
  const { now, screenColumns, webhooks } = props
  if (webhooks.length === 0) {
    return <Text>There are no webhooks yet. Run: footfall webhooks create {"<name> <url>"}</Text>
  }
  return (
    <Box flexDirection="column" width={screenColumns}>
      <Table columns={webhookColumns(now)} rows={webhooks} screenColumns={screenColumns} />
    </Box>
  )
}

const webhookColumns = (now: Date): ReadonlyArray<Column<VisitorWebhook>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 7, widthKept: 16 },
  { title: "Status", cell: ({ status }) => status },
  { title: "Trigger", cell: ({ trigger }) => trigger, dropRank: 2 },
  {
    title: "Accepted",
    cell: ({ stats }) => (stats.successRate === null ? "" : `${stats.successRate} %`),
    align: "right",
    dropRank: 1,
  },
  {
    title: "Last sent",
    cell: ({ stats }) =>
      stats.lastDeliveredAt === null ? "" : timeAgo(stats.lastDeliveredAt, now),
    align: "right",
    dropRank: 3,
  },
]
