// What was sent to a visitor webhook, on a terminal.

import type { ListMeta, WebhookDelivery } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of deliveries. */
export interface WebhookDeliveryTableProps {
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const WebhookDeliveryTable = (props: WebhookDeliveryTableProps): ReactNode => {
  const { deliveries, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={deliveryColumns(now)}
      rows={deliveries}
      meta={meta}
      nouns={["delivery", "deliveries"]}
      empty={{
        says: "There are no deliveries yet.",
        next: "To send one now, run: footfall webhooks test <id>",
      }}
      screenColumns={screenColumns}
    />
  )
}

const deliveryColumns = (now: Date): ReadonlyArray<Column<WebhookDelivery>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Event", cell: ({ event }) => event, dropRank: 3 },
  { title: "Status", cell: ({ status }) => status },
  { title: "Attempts", cell: ({ attempts }) => `${attempts}`, align: "right", dropRank: 2 },
  {
    title: "Answer",
    cell: ({ errorMessage, statusCode }) => `${statusCode ?? errorMessage ?? ""}`,
    widthMin: 6,
  },
  {
    title: "Queued",
    cell: ({ createdAt }) => timeAgo(createdAt, now),
    align: "right",
    dropRank: 1,
  },
]
