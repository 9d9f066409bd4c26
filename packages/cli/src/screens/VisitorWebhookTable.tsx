// The visitor webhooks on a terminal.

import type { VisitorWebhook } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen, type ListScreenMeta } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** At most 20, which is a page. */
export interface VisitorWebhookTableProps {
  readonly webhooks: ReadonlyArray<VisitorWebhook>
  readonly meta: ListScreenMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const VisitorWebhookTable = (props: VisitorWebhookTableProps): ReactNode => {
  const { webhooks, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={webhookColumns(now)}
      rows={webhooks}
      meta={meta}
      nouns={["webhook", "webhooks"]}
      empty={{
        says: "There are no webhooks yet.",
        next: "Run: footfall webhooks create <name> <url>",
      }}
      screenColumns={screenColumns}
    />
  )
}

const webhookColumns = (now: Date): ReadonlyArray<Column<VisitorWebhook>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 7, widthKept: 16 },
  {
    title: "Status",
    cell: ({ pixelDeleted, status }) => (pixelDeleted ? `${status}, pixel deleted` : status),
  },
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
