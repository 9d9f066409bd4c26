// The deliveries of an audience on a terminal.

import type { Delivery, ListMeta } from "@footfall/sdk"
import type { ReactNode } from "react"
import { deliveryStatusText } from "./delivery-words.ts"
import { countText } from "./figures.ts"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of deliveries. */
export interface DeliveryTableProps {
  readonly deliveries: ReadonlyArray<Delivery>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const DeliveryTable = (props: DeliveryTableProps): ReactNode => {
  const { deliveries, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={deliveryColumns(now)}
      rows={deliveries}
      meta={meta}
      nouns={["delivery", "deliveries"]}
      empty={{
        says: "There are no deliveries yet.",
        next: "Run: footfall sync <audience-id> <destination-id>",
      }}
      screenColumns={screenColumns}
    />
  )
}

/** What failed is never left out; the mode, which is in `deliveries get`, goes first. */
const deliveryColumns = (now: Date): ReadonlyArray<Column<Delivery>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Status", cell: deliveryStatusText, widthMin: 9, widthKept: 12 },
  {
    title: "Sent",
    cell: ({ sentCount }) => countText(sentCount),
    align: "right",
    dropRank: 1,
  },
  { title: "Failed", cell: ({ failedCount }) => countText(failedCount), align: "right" },
  {
    title: "Skipped",
    cell: ({ skippedCount }) => countText(skippedCount),
    align: "right",
    dropRank: 3,
  },
  {
    title: "Queued",
    cell: ({ createdAt }) => timeAgo(createdAt, now),
    align: "right",
    dropRank: 2,
  },
  { title: "Mode", cell: ({ mode }) => mode, dropRank: 4 },
]
